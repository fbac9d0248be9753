(* Any commutative ring in which 1 + 1 = 0, in particular any field of characteristic 2. *)
Variable Elt : Type.
Variables (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt).
Local Infix "+" := add.  Local Infix "*" := mul.  Local Infix "-" := sub.  Local Notation "- x" := (opp x).
Local Notation "0" := zero.  Local Notation "1" := one.  Local Notation "x ^ n" := (pow_N one mul x n%N).
