Require Import Ring Ring_polynom ZArith NArith List Bool Lia.
Import ListNotations.
