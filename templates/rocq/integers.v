(* Coefficients are integers, which every ring has. *)
Section Integers.
Variable Elt : Type.
Variables (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt).
Variable ring_laws : ring_theory zero one add mul sub opp (@eq Elt).
Definition checked_by_integers (names : list Elt) (bases : list (PExpr Z)) :=
  certified Elt zero one add mul sub opp ring_laws Z 0%Z 1%Z Z.add Z.mul Z.sub Z.opp Zeq_bool
    (gen_phiZ zero one add mul opp)
    (gen_phiZ_morph (Eqsth Elt) (Eq_ext add mul opp) ring_laws)
    names (map (polynomial Z 0%Z 1%Z Z.add Z.mul Z.opp Zeq_bool nil) bases).
End Integers.
Definition integer_expression := PExpr Z.
Definition integer_name (j : positive) : integer_expression := PEX Z j.
Definition integer_equation : Type := integer_expression * integer_expression.
Definition integer_step := step Z.
Definition integer_reason := reason Z.
