(* Coefficients are those of GF(2). *)
Section Bits.
Variable Elt : Type.
Variables (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt).
Variable ring_laws : ring_theory zero one add mul sub opp (@eq Elt).
Variable two_is_zero : add one one = zero.
Add Ring binary_elements : ring_laws.
Definition bit (b : bool) : Elt := if b then one else zero.
Lemma minus_one : opp one = one.
Proof. transitivity (add (opp one) (add one one)); [rewrite two_is_zero; ring | ring]. Qed.
Lemma bit_morphism :
  ring_morph zero one add mul sub opp (@eq Elt) false true xorb andb xorb (fun b => b) Bool.eqb bit.
Proof.
constructor; try reflexivity.
- intros [] []; simpl; try ring; symmetry; exact two_is_zero.
- intros [] []; simpl; try ring. transitivity (opp one); [symmetry; exact minus_one | ring].
- intros [] []; simpl; ring.
- intros []; simpl; [symmetry; exact minus_one | ring].
- intros [] []; simpl; intros H; try reflexivity; discriminate H.
Qed.
Definition checked_by_bits (names : list Elt) (bases : list (PExpr bool)) :=
  certified Elt zero one add mul sub opp ring_laws bool false true xorb andb xorb (fun b => b) Bool.eqb
    bit bit_morphism names (map (polynomial bool false true xorb andb (fun b => b) Bool.eqb nil) bases).
End Bits.
Definition bit_expression := PExpr bool.
Definition bit_name (j : positive) : bit_expression := PEX bool j.
Definition bit_equation : Type := bit_expression * bit_expression.
Definition bit_step := step bool.
Definition bit_reason := reason bool.
