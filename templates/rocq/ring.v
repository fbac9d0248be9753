(* Any commutative ring, in particular any field; #n is the integer n in it. *)
Variable Elt : Type.
Variables (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt).
Local Infix "+" := add.  Local Infix "*" := mul.  Local Infix "-" := sub.  Local Notation "- x" := (opp x).
Local Notation "0" := zero.  Local Notation "1" := one.  Local Notation "x ^ n" := (pow_N one mul x n%N).
Local Notation "# n" := (gen_phiZ zero one add mul opp n%Z) (at level 5, n at level 4).
