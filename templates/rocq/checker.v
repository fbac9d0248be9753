Section Checker.

(* Any commutative ring, and coefficients that have a meaning in it. *)
Variable Elt : Type.
Variables (zero one : Elt) (add mul sub : Elt -> Elt -> Elt) (opp : Elt -> Elt).
Variable ring_laws : ring_theory zero one add mul sub opp (@eq Elt).
Variables (C : Type) (c0 c1 : C) (cadd cmul csub : C -> C -> C) (copp : C -> C).
Variables (ceqb : C -> C -> bool) (meaning : C -> Elt).
Variable morphism :
  ring_morph zero one add mul sub opp (@eq Elt) c0 c1 cadd cmul csub copp ceqb meaning.

Add Ring elements : ring_laws.
Local Infix "+" := add.  Local Infix "*" := mul.  Local Infix "-" := sub.
Local Notation "- x" := (opp x).  Local Notation "0" := zero.  Local Notation "1" := one.

(* Names have values in the ring; expressions and polynomials in names have values too. *)
Variable names : list Elt.
Definition value (e : PExpr C) : Elt :=
  PEeval zero one add mul sub opp meaning (fun n => n) (pow_N one mul) names e.
Definition holds (equation : PExpr C * PExpr C) : Prop := value (fst equation) = value (snd equation).
Fixpoint hold (equations : list (PExpr C * PExpr C)) : Prop :=
  match equations with [] => True | [e] => holds e | e :: others => holds e /\ hold others end.

Definition number (c : C) : Pol C := Pc c.
Definition variable (j : positive) : Pol C := mk_X c0 c1 j.
Definition plus : Pol C -> Pol C -> Pol C := Padd c0 cadd ceqb.
Definition times : Pol C -> Pol C -> Pol C := Pmul c0 c1 cadd cmul ceqb.
Definition minus : Pol C -> Pol C -> Pol C := Psub c0 cadd csub copp ceqb.
Definition negative : Pol C -> Pol C := Popp copp.
Definition equal : Pol C -> Pol C -> bool := Peq ceqb.
Definition at_names (p : Pol C) : Elt := Pphi zero add mul meaning names p.
Local Notation "[ p ]" := (at_names p).

Let laws := Rth_ARth (Eqsth Elt) (Eq_ext add mul opp) ring_laws.
Lemma number_0 : [number c0] = 0.  Proof. exact (morph0 morphism). Qed.
Lemma number_1 : [number c1] = 1.  Proof. exact (morph1 morphism). Qed.
Lemma variable_ok : forall j, [variable j] = BinList.nth 0 j names.
Proof. intros. symmetry. exact (mkX_ok (Eqsth _) (Eq_ext add mul opp) laws morphism j names). Qed.
Lemma plus_ok : forall p q, [plus p q] = [p] + [q].
Proof. intros. exact (Padd_ok (Eqsth _) (Eq_ext add mul opp) laws morphism q p names). Qed.
Lemma times_ok : forall p q, [times p q] = [p] * [q].
Proof. intros. exact (Pmul_ok (Eqsth _) (Eq_ext add mul opp) laws morphism p q names). Qed.
Lemma minus_ok : forall p q, [minus p q] = [p] - [q].
Proof. intros. exact (Psub_ok (Eqsth _) (Eq_ext add mul opp) laws morphism q p names). Qed.
Lemma negative_ok : forall p, [negative p] = - [p].
Proof. intros. exact (Popp_ok (Eqsth _) (Eq_ext add mul opp) laws morphism p names). Qed.
Lemma equal_ok : forall p q, equal p q = true -> [p] = [q].
Proof. intros. exact (Peq_ok (Eqsth _) (Eq_ext add mul opp) morphism p q H names). Qed.

Definition is_unit (x : Elt) : Prop := exists y, y * x = 1.
Lemma unit_one : is_unit 1.  Proof. exists 1. ring. Qed.
Lemma unit_product : forall x y, is_unit x -> is_unit y -> is_unit (x * y).
Proof.
intros x y [u U] [v V]. exists (u * v).
transitivity ((u * x) * (v * y)); [ring | rewrite U, V; ring].
Qed.
Lemma cancel : forall u x y, is_unit u -> u * x = u * y -> x = y.
Proof.
intros u x y [v V] E. transitivity ((v * u) * x); [rewrite V; ring |].
transitivity ((v * u) * y); [| rewrite V; ring]. transitivity (v * (u * x)); [ring | rewrite E; ring].
Qed.

(* Denominators are products of powers of fixed polynomials, given by their exponents. *)
Variable bases : list (Pol C).
Fixpoint raised (p : Pol C) (n : nat) : Pol C :=
  match n with O => number c1 | S O => p | S n => times p (raised p n) end.
Fixpoint product (us : list (Pol C)) (exponents : list nat) : Pol C :=
  match us, exponents with
  | u :: us, O :: es => product us es
  | u :: us, e :: es => times (product us es) (raised u e)
  | _, _ => number c1
  end.
Fixpoint together (a b : list nat) : list nat :=
  match a, b with [], _ => b | _, [] => a | x :: a, y :: b => (x + y)%nat :: together a b end.
Fixpoint missing (a b : list nat) : list nat :=
  match a, b with [], _ => b | _, [] => [] | x :: a, y :: b => (y - x)%nat :: missing a b end.
Fixpoint within (a b : list nat) : bool :=
  match a, b with [], _ => true | _, [] => false | x :: a, y :: b => (x <=? y)%nat && within a b end.

Lemma raised_S : forall p n, [raised p (S n)] = [p] * [raised p n].
Proof. intros p [| n]; [change ([p] = [p] * [number c1]); rewrite number_1; ring | apply times_ok]. Qed.
Lemma product_cons : forall u us e es, [product (u :: us) (e :: es)] = [product us es] * [raised u e].
Proof.
intros u us [| e] es; [| apply times_ok].
change ([product us es] = [product us es] * [number c1]). rewrite number_1. ring.
Qed.
Lemma raised_plus : forall p m n, [raised p (m + n)] = [raised p m] * [raised p n].
Proof.
intros p m n. induction m as [| m IH].
{ change ([raised p n] = [number c1] * [raised p n]). rewrite number_1. ring. }
cbn [Nat.add]. rewrite !raised_S, IH. ring.
Qed.
Lemma product_together : forall us a b, [product us (together a b)] = [product us a] * [product us b].
Proof.
assert (one_left : forall x, x = [number c1] * x) by (intros x; rewrite number_1; ring).
assert (one_right : forall x, x = x * [number c1]) by (intros x; rewrite number_1; ring).
induction us as [| u us IH]; intros [| x a] [| y b]; try apply one_left; try apply one_right.
cbn [together]. rewrite !product_cons, IH, raised_plus. ring.
Qed.
Lemma together_missing : forall a b, together a (missing a b) = together b (missing b a).
Proof. induction a as [| x a IH]; intros [| y b]; cbn; try reflexivity. f_equal; [lia | apply IH]. Qed.
Lemma together_within : forall a b, within a b = true -> together a (missing a b) = b.
Proof.
induction a as [| x a IH]; intros [| y b] H; cbn in *; try reflexivity; try discriminate.
apply andb_prop in H as [L W]. apply Nat.leb_le in L. f_equal; [lia | exact (IH b W)].
Qed.

(* A fraction n/d is the value x if d*x = n. *)
Definition fraction : Type := list nat * Pol C.
Definition denominator (f : fraction) : Pol C := product bases (fst f).
Definition is (f : fraction) (x : Elt) : Prop := [denominator f] * x = [snd f].

Definition constant (p : Pol C) : fraction := ([], p).
Definition sum (f g : fraction) : fraction :=
  let over_f := missing (fst f) (fst g) in let over_g := missing (fst g) (fst f) in
  (together (fst f) over_f,
   plus (times (snd f) (product bases over_f)) (times (snd g) (product bases over_g))).
Definition opposite (f : fraction) : fraction := (fst f, negative (snd f)).
Definition multiple (f g : fraction) : fraction := (together (fst f) (fst g), times (snd f) (snd g)).
Fixpoint repeated (f : fraction) (n : nat) : fraction :=
  match n with O => constant (number c1) | S O => f | S n => multiple f (repeated f n) end.

Lemma constant_is : forall p, is (constant p) [p].
Proof.
intros p. unfold is, denominator, constant. cbn [fst snd].
replace (product bases []) with (number c1) by (destruct bases; reflexivity). rewrite number_1. ring.
Qed.
Lemma sum_is : forall f g x y, is f x -> is g y -> is (sum f g) (x + y).
Proof.
unfold is, denominator, sum. intros [d n] [e m] x y F G. cbn [fst snd] in *.
rewrite plus_ok, !times_ok, <- F, <- G, product_together.
transitivity ([product bases (together d (missing d e))] * x +
  [product bases (together e (missing e d))] * y).
- rewrite <- (together_missing d e), product_together. ring.
- rewrite !product_together. ring.
Qed.
Lemma opposite_is : forall f x, is f x -> is (opposite f) (- x).
Proof. unfold is, denominator. intros f x F. cbn. rewrite negative_ok, <- F. ring. Qed.
Lemma multiple_is : forall f g x y, is f x -> is g y -> is (multiple f g) (x * y).
Proof.
unfold is, denominator. intros f g x y F G. cbn. rewrite product_together, times_ok, <- F, <- G. ring.
Qed.
Lemma repeated_is : forall f x n, is f x -> is (repeated f n) (pow_N 1 mul x (N.of_nat n)).
Proof.
intros f x n F.
assert (S_pow : forall n, pow_N 1 mul x (N.of_nat (S n)) = x * pow_N 1 mul x (N.of_nat n)).
{ intros k. destruct k as [| k]; [cbn; ring |]. cbn [N.of_nat pow_N].
  change (Pos.of_succ_nat (S k)) with (Pos.succ (Pos.of_succ_nat k)).
  exact (pow_pos_succ (Eqsth Elt) (Eq_ext add mul opp).(Rmul_ext) (ARmul_assoc laws) x _). }
induction n as [| n IH]; [pose proof (constant_is (number c1)) as H; rewrite number_1 in H; exact H |].
rewrite S_pow. destruct n as [| n]; [cbn [repeated]; cbn; replace (x * 1) with x by ring; exact F |].
exact (multiple_is _ _ _ _ F IH).
Qed.

(* What is known: values of some names as fractions, how many of the bases are units, polynomials that
   are 0, and equations. A name of which nothing is known is its own value. *)
Record state := State {
  fractions : list (positive * fraction);
  units : nat;
  zeros : list (Pol C);
  equations : list (PExpr C * PExpr C) }.

Definition known (s : state) : Prop :=
  Forall (fun entry => is (snd entry) (BinList.nth 0 (fst entry) names)) (fractions s) /\
  Forall (fun p => is_unit [p]) (firstn (units s) bases) /\
  Forall (fun p => [p] = 0) (zeros s) /\
  Forall holds (equations s).

Fixpoint fraction_of (entries : list (positive * fraction)) (j : positive) : fraction :=
  match entries with
  | [] => constant (variable j)
  | (i, f) :: entries => if Pos.eqb i j then f else fraction_of entries j
  end.

Fixpoint evaluated (entries : list (positive * fraction)) (e : PExpr C) : fraction :=
  match e with
  | PEO => constant (number c0)
  | PEI => constant (number c1)
  | PEc c => constant (number c)
  | PEX _ j => fraction_of entries j
  | PEadd a b => sum (evaluated entries a) (evaluated entries b)
  | PEsub a b => sum (evaluated entries a) (opposite (evaluated entries b))
  | PEmul a b => multiple (evaluated entries a) (evaluated entries b)
  | PEopp a => opposite (evaluated entries a)
  | PEpow a n => repeated (evaluated entries a) (N.to_nat n)
  end.
Definition polynomial (e : PExpr C) : Pol C := snd (evaluated [] e).

Lemma fraction_of_is : forall entries j,
  Forall (fun entry => is (snd entry) (BinList.nth 0 (fst entry) names)) entries ->
  is (fraction_of entries j) (BinList.nth 0 j names).
Proof.
intros entries j H. induction H as [| [i f] entries F H IH]; cbn.
- rewrite <- variable_ok. apply constant_is.
- destruct (Pos.eqb_spec i j) as [<- |]; [exact F | exact IH].
Qed.
Lemma evaluated_is : forall entries e,
  Forall (fun entry => is (snd entry) (BinList.nth 0 (fst entry) names)) entries ->
  is (evaluated entries e) (value e).
Proof.
intros entries e H. induction e; cbn [evaluated].
- change (is (constant (number c0)) 0). rewrite <- number_0. apply constant_is.
- change (is (constant (number c1)) 1). rewrite <- number_1. apply constant_is.
- exact (constant_is (number c)).
- apply fraction_of_is, H.
- apply sum_is; assumption.
- change (is (sum (evaluated entries e1) (opposite (evaluated entries e2))) (value e1 - value e2)).
  replace (value e1 - value e2) with (value e1 + - value e2) by ring. apply sum_is, opposite_is; assumption.
- apply multiple_is; assumption.
- apply opposite_is; assumption.
- rewrite <- (N2Nat.id n) at 2. apply (repeated_is _ _ (N.to_nat n)), IHe.
Qed.

(* The sum of multiples of polynomials that are 0. *)
Fixpoint combination (zeros : list (Pol C)) (cofactors : list (nat * PExpr C)) : Pol C :=
  match cofactors with
  | [] => number c0
  | (i, q) :: others => plus (combination zeros others) (times (nth i zeros (number c0)) (polynomial q))
  end.
Lemma zero_nth : forall zeros i, Forall (fun p => [p] = 0) zeros -> [nth i zeros (number c0)] = 0.
Proof.
intros zeros i Z. destruct (nth_in_or_default i zeros (number c0)) as [I | ->]; [| apply number_0].
exact (proj1 (Forall_forall _ _) Z _ I).
Qed.
Lemma combination_zero : forall zeros cofactors,
  Forall (fun p => [p] = 0) zeros -> [combination zeros cofactors] = 0.
Proof.
intros zeros cofactors Z. induction cofactors as [| [i q] others IH]; cbn; [apply number_0 |].
rewrite plus_ok, times_ok, IH, (zero_nth _ _ Z). ring.
Qed.

Definition signed (sign : bool) (p : Pol C) : Pol C := if sign then negative p else p.

(* p = q + monomial * r, for a product of powers of names. *)
Fixpoint factored (monomial : list (PExpr C * nat)) (p : Pol C) : Pol C * Pol C :=
  match monomial with
  | [] => (number c0, p)
  | (x, e) :: others =>
      let power := raised (polynomial x) e in
      match mon_of_pol c0 ceqb power with
      | Some m =>
          let (q, r) := MFactor c0 c1 ceqb (triv_div c0 c1 ceqb) p (fst m) (snd m) in
          let (q', r') := factored others r in
          (plus q (times q' power), r')
      | None => (p, number c0)
      end
  end.
Fixpoint monomial_value (monomial : list (PExpr C * nat)) : Elt :=
  match monomial with [] => 1 | (x, e) :: others => [raised (polynomial x) e] * monomial_value others end.
Definition monomial_polynomial (monomial : list (PExpr C * nat)) : Pol C :=
  fold_right (fun '(x, e) p => times p (raised (polynomial x) e)) (number c1) monomial.

(* A polynomial that is 0, or minus it, is a monomial minus a rest, which may take the monomial's place. *)
Record rule := Rule { place : nat; opposed : bool; leading : list (PExpr C * nat) }.

Fixpoint replaced (monomial : list (PExpr C * nat)) (rest : Pol C) (count : nat) (p : Pol C) : Pol C :=
  match count with
  | O => p
  | S n =>
      let (q, r) := factored monomial p in
      if equal r (number c0) then p else replaced monomial rest n (plus q (times rest r))
  end.
Definition divided_by (zeros : list (Pol C)) (p : Pol C) (r : rule) : Pol C :=
  let zero := nth (place r) zeros (number c0) in
  let rest := minus (monomial_polynomial (leading r)) (signed (opposed r) zero) in
  replaced (leading r) rest 64 p.
Fixpoint divided (zeros : list (Pol C)) (rules : list rule) (count : nat) (p : Pol C) : Pol C :=
  match count with
  | O => p
  | S n => if equal p (number c0) then p else divided zeros rules n (fold_left (divided_by zeros) rules p)
  end.

Lemma monomial_polynomial_ok : forall m, [monomial_polynomial m] = monomial_value m.
Proof.
induction m as [| [x e] m IH]; [apply number_1 |]. cbn [monomial_polynomial fold_right monomial_value].
change (fold_right _ _ m) with (monomial_polynomial m). rewrite times_ok, IH. ring.
Qed.
Lemma factored_ok : forall m p q r, factored m p = (q, r) -> [p] = [q] + monomial_value m * [r].
Proof.
induction m as [| [x e] m IH]; intros p q r F; cbn [factored monomial_value] in *.
- injection F as <- <-. rewrite number_0. ring.
- destruct (mon_of_pol c0 ceqb (raised (polynomial x) e)) as [c |] eqn:M.
  + pose proof (mon_of_pol_ok (Eqsth _) (Eq_ext add mul opp) laws morphism _ M names) as V.
    pose proof (Mphi_ok (Eqsth _) (Eq_ext add mul opp) laws morphism
      (triv_div_th (Eqsth _) (Eq_ext add mul opp) laws morphism) p c names) as S.
    destruct c as [c t]. cbn [fst snd] in *.
    destruct (MFactor c0 c1 ceqb (triv_div c0 c1 ceqb) p c t) as [q1 r1].
    destruct (factored m r1) as [q2 r2] eqn:F2. injection F as <- <-. apply IH in F2.
    change ([p] = [q1] + meaning c * Mphi zero one mul names t * [r1]) in S.
    change (meaning c * Mphi zero one mul names t = [raised (polynomial x) e]) in V.
    rewrite S, V, F2, plus_ok, times_ok. ring.
  + injection F as <- <-. rewrite number_0. ring.
Qed.
Lemma replaced_ok : forall m rest n p, [rest] = monomial_value m -> [replaced m rest n p] = [p].
Proof.
intros m rest n. induction n as [| n IH]; intros p R; [reflexivity |]. cbn [replaced].
destruct (factored m p) as [q r] eqn:F. destruct (equal r (number c0)); [reflexivity |].
rewrite (IH _ R), plus_ok, times_ok, R, (factored_ok _ _ _ _ F). ring.
Qed.
Lemma divided_by_ok : forall zeros p r, Forall (fun p => [p] = 0) zeros -> [divided_by zeros p r] = [p].
Proof.
intros zeros p [i s m] Z. apply replaced_ok. cbn [place opposed leading].
rewrite minus_ok, monomial_polynomial_ok.
destruct s; unfold signed; rewrite ?negative_ok, (zero_nth _ _ Z); ring.
Qed.
Lemma divided_ok : forall zeros rules n p, Forall (fun p => [p] = 0) zeros -> [divided zeros rules n p] = [p].
Proof.
intros zeros rules n p Z. revert p. induction n as [| n IH]; intros p; [reflexivity |]. cbn [divided].
destruct (equal p (number c0)); [reflexivity |]. rewrite IH. clear IH. revert p.
induction rules as [| r rules IH]; intros p; [reflexivity |]. cbn [fold_left].
rewrite IH. apply divided_by_ok, Z.
Qed.

Lemma product_unit : forall us k es, (length es <=? k)%nat = true ->
  Forall (fun p => is_unit [p]) (firstn k us) -> is_unit [product us es].
Proof.
intros us k es L. apply Nat.leb_le in L. revert k es L.
induction us as [| u us IH]; intros k [| e es] L U; try (exact (eq_ind_r is_unit unit_one number_1)).
destruct k as [| k]; [inversion L |]. cbn [length] in L. inversion U as [| ? ? U1 U2]; subst.
rewrite product_cons. apply unit_product; [apply (IH k); [lia | exact U2] |].
induction e as [| e IHe]; [exact (eq_ind_r is_unit unit_one number_1) |].
rewrite raised_S. apply unit_product; assumption.
Qed.

(* How a fraction is written with fewer factors or terms: its numerator is the product of what is cancelled,
   times another numerator, plus a combination of what is 0. *)
Record shorter := Shorter { cancelled : list nat; numerator : PExpr C; cofactors : list (nat * PExpr C) }.

Definition shortened (s : state) (f : fraction) (form : option shorter) : option fraction :=
  match form with
  | None => Some f
  | Some (Shorter g n q) =>
      let n := polynomial n in
      if (length g <=? units s)%nat && within g (fst f) &&
         equal (snd f) (plus (times n (product bases g)) (combination (zeros s) q))
      then Some (missing g (fst f), n) else None
  end.
Lemma shortened_is : forall s f form f' x, known s -> is f x -> shortened s f form = Some f' -> is f' x.
Proof.
intros s [d n] [[g e q] |] f' x K F S; cbn in S; [| injection S as <-; exact F].
destruct ((length g <=? units s)%nat) eqn:L; [| discriminate].
destruct (within g d) eqn:W; [| discriminate].
destruct (equal n _) eqn:E; [| discriminate]. injection S as <-.
destruct K as (_ & U & Z & _). apply equal_ok in E. unfold is, denominator in *. cbn [fst snd] in *.
apply (cancel [product bases g]); [exact (product_unit _ _ _ L U) |].
transitivity ([product bases (together g (missing g d))] * x); [rewrite product_together; ring |].
rewrite (together_within _ _ W), F, E, plus_ok, times_ok, (combination_zero _ _ Z). ring.
Qed.

(* The numerator of left - right. *)
Definition difference (s : state) (e : PExpr C * PExpr C) : fraction :=
  sum (evaluated (fractions s) (fst e)) (opposite (evaluated (fractions s) (snd e))).
Lemma difference_is : forall s e, known s -> is (difference s e) (value (fst e) - value (snd e)).
Proof.
intros s e (F & _). replace (value (fst e) - value (snd e)) with (value (fst e) + - value (snd e)) by ring.
apply sum_is, opposite_is; apply evaluated_is, F.
Qed.
Lemma difference_zero : forall s e, known s -> holds e -> [snd (difference s e)] = 0.
Proof.
intros s e K H. pose proof (difference_is s e K) as D. unfold is in D. rewrite <- D, H. ring.
Qed.

(* Why an equation holds: its difference, times a product of bases and divided by rules, is a combination. *)
Record reason := Reason { multiplied : list nat; rules : list rule; multiples : list (nat * PExpr C) }.

Inductive step :=
  (* Equation i gives the name on its left, or flipped on its right, its value. *)
  | Define (i : nat) (flip : bool) (form : option shorter)
  (* Equation i is name * e = 1, so that the numerator of e is a unit. The next bases are its factors, with
     these quotients; it is a product of powers of bases, or minus that, which gives the name its value. *)
  | Invert (i : nat) (quotients : list (PExpr C)) (exponents : list nat) (sign : bool) (form : option shorter)
  (* Equation i is, up to what is cancelled and a combination, product of bases * name - numerator = 0. *)
  | Solve (i : nat) (j : positive) (exponents : list nat) (sign : bool) (form : shorter)
  (* Equation i says that a polynomial is 0. *)
  | Relate (i : nat) (form : option shorter)
  (* So is a combination. *)
  | Combine (cofactors : list (nat * PExpr C))
  (* A new equation. *)
  | Claim (equation : PExpr C * PExpr C) (because : reason)
  (* Nothing is known of a name. *)
  | Forget (j : positive).

Definition with_fraction (s : state) (j : positive) (f : fraction) : state :=
  State ((j, f) :: fractions s) (units s) (zeros s) (equations s).
Definition with_zero (s : state) (p : Pol C) : state :=
  State (fractions s) (units s) (zeros s ++ [p]) (equations s).

Fixpoint with_units (s : state) (n : Pol C) (quotients : list (PExpr C)) : option state :=
  match quotients with
  | [] => Some s
  | q :: others =>
      match nth_error bases (units s) with
      | Some u => if equal n (times u (polynomial q))
                  then with_units (State (fractions s) (S (units s)) (zeros s) (equations s)) n others
                  else None
      | None => None
      end
  end.

Definition claimed (s : state) (e : PExpr C * PExpr C) (r : reason) : bool :=
  let d := difference s e in
  (length (fst d) <=? units s)%nat && (length (multiplied r) <=? units s)%nat &&
  equal (divided (zeros s) (rules r) 64 (times (snd d) (product bases (multiplied r))))
    (combination (zeros s) (multiples r)).

Definition next (s : state) (t : step) : option state :=
  match t with
  | Define i flip b =>
      match nth_error (equations s) i with
      | Some (l, r) =>
          match (if flip then r else l), shortened s (evaluated (fractions s) (if flip then l else r)) b with
          | PEX _ j, Some f => Some (with_fraction s j f)
          | _, _ => None
          end
      | None => None
      end
  | Invert i quotients es sign b =>
      match nth_error (equations s) i with
      | Some (PEmul (PEX _ j) e, PEI) =>
          let f := evaluated (fractions s) e in
          if (length (fst f) <=? units s)%nat && equal (snd f) (signed sign (product bases es)) then
            match with_units s (snd f) quotients with
            | Some s => match shortened s (es, signed sign (denominator f)) b with
                        | Some f => Some (with_fraction s j f)
                        | None => None
                        end
            | None => None
            end
          else None
      | _ => None
      end
  | Solve i j es sign (Shorter g n q) =>
      match nth_error (equations s) i with
      | Some e =>
          let n := polynomial n in
          let shape := times (minus (times (variable j) (product bases es)) n) (product bases g) in
          if (length g <=? units s)%nat &&
             equal (snd (difference s e)) (plus (signed sign shape) (combination (zeros s) q))
          then Some (with_fraction s j (es, n)) else None
      | None => None
      end
  | Relate i b =>
      match nth_error (equations s) i with
      | Some e => match shortened s ([], snd (difference s e)) b with
                  | Some f => Some (with_zero s (snd f))
                  | None => None
                  end
      | None => None
      end
  | Combine q => Some (with_zero s (combination (zeros s) q))
  | Claim e r => if claimed s e r
                 then Some (State (fractions s) (units s) (zeros s) (equations s ++ [e])) else None
  | Forget j => Some (with_fraction s j (constant (variable j)))
  end.

Lemma with_fraction_known : forall s j f,
  known s -> is f (BinList.nth 0 j names) -> known (with_fraction s j f).
Proof. intros s j f (F & U & Z & E) I. repeat split; try assumption. constructor; assumption. Qed.
Lemma with_zero_known : forall s p, known s -> [p] = 0 -> known (with_zero s p).
Proof.
intros s p (F & U & Z & E) I. repeat split; try assumption.
apply Forall_app. split; [exact Z | now constructor].
Qed.
Lemma signed_ok : forall sign p, [signed sign p] = [signed sign (number c1)] * [p].
Proof. intros [] p; unfold signed; rewrite ?negative_ok, number_1; ring. Qed.
Lemma sign_square : forall sign, [signed sign (number c1)] * [signed sign (number c1)] = 1.
Proof. intros []; unfold signed; rewrite ?negative_ok, number_1; ring. Qed.
Lemma equation_holds : forall s i e, known s -> nth_error (equations s) i = Some e -> holds e.
Proof. intros s i e (_ & _ & _ & E) N. exact (proj1 (Forall_forall _ _) E e (nth_error_In _ _ N)). Qed.

Lemma firstn_next : forall (A : Type) (l : list A) k x,
  nth_error l k = Some x -> firstn (S k) l = firstn k l ++ [x].
Proof.
intros A l. induction l as [| y l IH]; intros [| k] x H; try discriminate; cbn in *;
  [now injection H as -> |].
f_equal. apply IH, H.
Qed.
Lemma with_units_known : forall quotients s n s', known s -> is_unit [n] ->
  with_units s n quotients = Some s' -> known s'.
Proof.
induction quotients as [| q others IH]; intros s n s' K N H; cbn in H; [now injection H as <- |].
destruct (nth_error bases (units s)) as [u |] eqn:B; [| discriminate].
destruct (equal n _) eqn:E; [| discriminate].
refine (IH _ _ _ _ N H). destruct K as (F & U & Z & Q). repeat split; try assumption. cbn [units].
rewrite (firstn_next _ _ _ _ B). apply Forall_app. split; [exact U |]. constructor; [| constructor].
apply equal_ok in E. destruct N as [v V]. exists (v * [polynomial q]).
rewrite E, times_ok in V. rewrite <- V. ring.
Qed.

Lemma claimed_holds : forall s e r, known s -> claimed s e r = true -> holds e.
Proof.
intros s e [g t q] K H. unfold claimed in H. cbn [multiplied rules multiples] in H.
apply andb_prop in H as [H E]. apply andb_prop in H as [L M]. apply equal_ok in E.
pose proof (difference_is s e K) as D. unfold is in D. destruct K as (_ & U & Z & _).
rewrite (divided_ok _ _ _ _ Z), times_ok, (combination_zero _ _ Z), <- D in E.
assert (O : value (fst e) - value (snd e) = 0).
{ apply (cancel [denominator (difference s e)]); [exact (product_unit _ _ _ L U) |].
  apply (cancel [product bases g]); [exact (product_unit _ _ _ M U) |].
  transitivity ([denominator (difference s e)] * (value (fst e) - value (snd e)) * [product bases g]);
    [ring | rewrite E; ring]. }
unfold holds. transitivity (value (fst e) - value (snd e) + value (snd e)); [ring | rewrite O; ring].
Qed.

Lemma define_known : forall s i flip b s', known s -> next s (Define i flip b) = Some s' -> known s'.
Proof.
intros s i flip b s' K H. cbn in H.
destruct (nth_error (equations s) i) as [[l r] |] eqn:N; [| discriminate].
pose proof (equation_holds _ _ _ K N) as E. unfold holds in E. cbn [fst snd] in E.
destruct (if flip then r else l) as [| | | j | | | | |] eqn:J; try discriminate.
destruct (shortened s _ b) as [f |] eqn:S; [| discriminate]. injection H as <-.
apply (with_fraction_known _ _ _ K).
assert (V : value (if flip then l else r) = value (PEX C j)).
{ rewrite <- J. destruct flip; [exact E | now symmetry]. }
refine (shortened_is _ _ _ _ _ K _ S). refine (eq_ind _ (is _) _ _ V). apply evaluated_is, K.
Qed.

Lemma invert_known : forall s i quotients es sign b s', known s ->
  next s (Invert i quotients es sign b) = Some s' -> known s'.
Proof.
intros s i quotients es sign b s' K H. cbn in H.
destruct (nth_error (equations s) i) as [[l r] |] eqn:N; [| discriminate].
destruct l as [| | | | | | l e | |]; try discriminate. destruct l as [| | | j | | | | |]; try discriminate.
destruct r; try discriminate.
pose proof (equation_holds _ _ _ K N) as E. change (BinList.nth 0 j names * value e = 1) in E.
set (x := BinList.nth 0 j names) in *.
pose proof (evaluated_is (fractions s) e (proj1 K)) as F. set (f := evaluated (fractions s) e) in *.
destruct ((length (fst f) <=? units s)%nat) eqn:L; [| discriminate].
destruct (equal (snd f) _) eqn:Q; [| discriminate]. apply equal_ok in Q. rewrite signed_ok in Q.
destruct (with_units s (snd f) quotients) as [t |] eqn:T; [| discriminate].
destruct (shortened t _ b) as [g |] eqn:S; [| discriminate]. injection H as <-.
assert (U : is_unit [snd f]).
{ destruct (product_unit _ _ _ L (proj1 (proj2 K))) as [u D]. exists (u * x). unfold is in F. rewrite <- F.
  transitivity ((u * [denominator f]) * (x * value e)); [unfold denominator; ring |].
  unfold denominator. rewrite D, E. ring. }
pose proof (with_units_known _ _ _ _ K U T) as K'. apply (with_fraction_known _ _ _ K').
refine (shortened_is _ _ _ _ _ K' _ S). unfold is in F.
change ([product bases es] * x = [signed sign (denominator f)]). rewrite signed_ok.
transitivity ([signed sign (number c1)] * ([signed sign (number c1)] * [product bases es]) * x).
- transitivity ([signed sign (number c1)] * [signed sign (number c1)] * ([product bases es] * x)); [| ring].
  rewrite sign_square. ring.
- rewrite <- Q, <- F. transitivity ([signed sign (number c1)] * [denominator f] * (x * value e)); [ring |].
  rewrite E. ring.
Qed.

Lemma solve_known : forall s i j es sign b s', known s -> next s (Solve i j es sign b) = Some s' -> known s'.
Proof.
intros s i j es sign [g n q] s' K H. unfold next in H.
destruct (nth_error (equations s) i) as [e |] eqn:N; [| discriminate].
destruct ((length g <=? units s)%nat) eqn:L; [| discriminate].
destruct (equal _ _) eqn:Q; [| discriminate]. injection H as <-.
apply (with_fraction_known _ _ _ K). apply equal_ok in Q.
rewrite (difference_zero _ _ K (equation_holds _ _ _ K N)) in Q. destruct K as (_ & U & Z & _).
rewrite plus_ok, signed_ok, times_ok, minus_ok, times_ok, variable_ok, (combination_zero _ _ Z) in Q.
unfold is, denominator. cbn [fst snd].
apply (cancel [product bases g]); [exact (product_unit _ _ _ L U) |].
set (c := [signed sign (number c1)]) in *. set (x := BinList.nth 0 j names) in *.
transitivity (c * c * (([product bases es] * x - [polynomial n]) * [product bases g]) +
  [product bases g] * [polynomial n]).
- unfold c. rewrite sign_square. ring.
- transitivity (c * (c * ((x * [product bases es] - [polynomial n]) * [product bases g]) + 0) +
    [product bases g] * [polynomial n]);
    [ring | rewrite <- Q; ring].
Qed.

Lemma next_known : forall s t s', known s -> next s t = Some s' -> known s'.
Proof.
intros s t s' K H. destruct t as [i flip b | i quotients es sign b | i j es sign b | i b | q | e q | j].
- exact (define_known _ _ _ _ _ K H).
- exact (invert_known _ _ _ _ _ _ _ K H).
- exact (solve_known _ _ _ _ _ _ _ K H).
- unfold next in H. destruct (nth_error (equations s) i) as [e |] eqn:N; [| discriminate].
  destruct (shortened s _ b) as [f |] eqn:S; [| discriminate]. injection H as <-.
  apply (with_zero_known _ _ K).
  assert (I : is ([], snd (difference s e)) 0).
  { rewrite <- (difference_zero _ _ K (equation_holds _ _ _ K N)). exact (constant_is _). }
  apply (shortened_is _ _ _ _ _ K I) in S. unfold is in S. rewrite <- S. ring.
- injection H as <-. exact (with_zero_known _ _ K (combination_zero _ _ (proj1 (proj2 (proj2 K))))).
- unfold next in H. destruct (claimed s e q) eqn:Q; [| discriminate]. injection H as <-.
  pose proof (claimed_holds _ _ _ K Q). destruct K as (F & U & Z & E). repeat split; try assumption.
  apply Forall_app. split; [exact E | now constructor].
- injection H as <-. apply (with_fraction_known _ _ _ K). rewrite <- variable_ok. apply constant_is.
Qed.

Fixpoint followed (s : state) (steps : list step) : option state :=
  match steps with
  | [] => Some s
  | t :: steps => match next s t with Some s => followed s steps | None => None end
  end.
Lemma followed_known : forall steps s s', known s -> followed s steps = Some s' -> known s'.
Proof.
induction steps as [| t steps IH]; intros s s' K H; cbn in H; [now injection H as <- |].
destruct (next s t) as [u |] eqn:N; [| discriminate]. exact (IH _ _ (next_known _ _ _ K N) H).
Qed.

(* A certificate: steps, after which the goals are combinations of what is 0, up to units. *)
Definition certifies (hypotheses : list (PExpr C * PExpr C)) (steps : list step)
    (goals : list (PExpr C * PExpr C)) (reasons : list reason) : bool :=
  match followed (State [] 0 [] hypotheses) steps with
  | Some s => (length goals =? length reasons)%nat &&
              forallb (fun '(e, r) => claimed s e r) (combine goals reasons)
  | None => false
  end.

Lemma hold_all : forall es, hold es -> Forall holds es.
Proof.
induction es as [| e [| e' es] IH]; intros H; [constructor | now constructor |].
destruct H as [H H']. constructor; [exact H | exact (IH H')].
Qed.
Lemma all_hold : forall es, Forall holds es -> hold es.
Proof.
induction es as [| e [| e' es] IH]; intros H; [exact I | now inversion H |].
inversion H as [| ? ? H1 H2]; subst. split; [exact H1 | exact (IH H2)].
Qed.

Theorem certified : forall hypotheses steps goals reasons,
  certifies hypotheses steps goals reasons = true -> hold hypotheses -> hold goals.
Proof.
intros hypotheses steps goals reasons H K. unfold certifies in H.
destruct (followed _ steps) as [s |] eqn:F; [| discriminate].
apply followed_known in F; [| repeat split; try constructor; now apply hold_all].
apply andb_prop in H as [L A]. apply Nat.eqb_eq in L. apply all_hold.
revert reasons L A.
induction goals as [| e goals IH]; intros [| r reasons] L A; try discriminate; [constructor |].
apply andb_prop in A as [A B]. constructor; [exact (claimed_holds _ _ _ F A) |].
injection L as L. exact (IH _ L B).
Qed.

End Checker.
