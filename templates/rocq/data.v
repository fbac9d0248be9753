(* Expressions as data. *)
Declare Scope data_scope.
Delimit Scope data_scope with data.
Local Infix "+" := PEadd : data_scope.  Local Infix "*" := PEmul : data_scope.
Local Infix "-" := PEsub : data_scope.  Local Notation "- x" := (PEopp x) : data_scope.
Local Notation "x ^ n" := (PEpow x n%N) : data_scope.
Local Notation "0" := PEO : data_scope.  Local Notation "1" := PEI : data_scope.
Local Notation "# n" := (PEc n%Z) (at level 5, n at level 4) : data_scope.
Arguments Shorter {C}.  Arguments Define {C}.  Arguments Invert {C}.  Arguments Solve {C}.
Arguments Relate {C}.  Arguments Combine {C}.  Arguments Claim {C}.  Arguments Forget {C}.
Arguments Rule {C}.  Arguments Reason {C}.
