; Old Maid as it was first written: revision of oldmaid.clp, which has the flaw of `loser` repaired.
(deftemplate card
  (slot suit (type SYMBOL) (allowed-symbols spade heart diamond club joker))
  (slot rank (type INTEGER) (range 0 13)) ; 0 is the joker
  (slot player (type SYMBOL) (allowed-symbols init A B C D discarded)))

; Whose turn it is.
(deftemplate turn
  (slot player (type SYMBOL) (allowed-symbols A B C D)))

(deffacts table
  (card (suit spade) (rank 1))
  (card (suit spade) (rank 2))
  (card (suit spade) (rank 3))
  (card (suit spade) (rank 4))
  (card (suit spade) (rank 5))
  (card (suit spade) (rank 6))
  (card (suit spade) (rank 7))
  (card (suit spade) (rank 8))
  (card (suit spade) (rank 9))
  (card (suit spade) (rank 10))
  (card (suit spade) (rank 11))
  (card (suit spade) (rank 12))
  (card (suit spade) (rank 13))
  (card (suit heart) (rank 1))
  (card (suit heart) (rank 2))
  (card (suit heart) (rank 3))
  (card (suit heart) (rank 4))
  (card (suit heart) (rank 5))
  (card (suit heart) (rank 6))
  (card (suit heart) (rank 7))
  (card (suit heart) (rank 8))
  (card (suit heart) (rank 9))
  (card (suit heart) (rank 10))
  (card (suit heart) (rank 11))
  (card (suit heart) (rank 12))
  (card (suit heart) (rank 13))
  (card (suit diamond) (rank 1))
  (card (suit diamond) (rank 2))
  (card (suit diamond) (rank 3))
  (card (suit diamond) (rank 4))
  (card (suit diamond) (rank 5))
  (card (suit diamond) (rank 6))
  (card (suit diamond) (rank 7))
  (card (suit diamond) (rank 8))
  (card (suit diamond) (rank 9))
  (card (suit diamond) (rank 10))
  (card (suit diamond) (rank 11))
  (card (suit diamond) (rank 12))
  (card (suit diamond) (rank 13))
  (card (suit club) (rank 1))
  (card (suit club) (rank 2))
  (card (suit club) (rank 3))
  (card (suit club) (rank 4))
  (card (suit club) (rank 5))
  (card (suit club) (rank 6))
  (card (suit club) (rank 7))
  (card (suit club) (rank 8))
  (card (suit club) (rank 9))
  (card (suit club) (rank 10))
  (card (suit club) (rank 11))
  (card (suit club) (rank 12))
  (card (suit club) (rank 13))
  (card (suit joker) (rank 0))
  (turn (player A))
  (next A B)
  (next B C)
  (next C D)
  (next D A)
  (deal-phase))

; ---- dealing: one card to each in turn; which one is up to the strategy

(defrule deal
  (deal-phase)
  ?turn <- (turn (player ?player))
  (next ?player ?next)
  ?card <- (card (player init))
  =>
  (modify ?card (player ?player))
  (modify ?turn (player ?next)))

(defrule end-of-deal
  (declare (salience -10000))
  ?phase <- (deal-phase)
  ?turn <- (turn (player ?))
  =>
  (retract ?phase)
  (assert (play-phase))
  (modify ?turn (player A)))

; ---- playing: drawing goes on at salience 0, all else interrupts it

(defrule draw
  (play-phase)
  ?turn <- (turn (player ?player))
  (next ?player ?other&~?player)
  ?card <- (card (player ?other))
  =>
  (modify ?card (player ?player))
  (modify ?turn (player ?other))
  (printout t ?player " draws from " ?other crlf))

(defrule discard-pair
  (declare (salience 100))
  (play-phase)
  ?one <- (card (suit ?suit) (rank ?rank) (player ?player&~discarded))
  ?two <- (card (suit ?other&~?suit) (rank ?rank) (player ?player))
  =>
  (modify ?one (player discarded))
  (modify ?two (player discarded))
  (printout t ?player " discards " ?suit " " ?rank " and " ?other " " ?rank crlf))

; Who has drawn and then discarded the last pair is out; the turn has already moved on.
(defrule out-after-draw
  (declare (salience 1000))
  (play-phase)
  (turn (player ?next))
  ?before <- (next ?previous ?player)
  ?after <- (next ?player ?next)
  (not (card (player ?player)))
  =>
  (printout t ?player " is out" crlf)
  (assert (player ?player wins the game))
  (assert (next ?previous ?next))
  (retract ?before ?after))

; Who has had the last card taken is out, and was to play: the next one does.
(defrule out-before-draw
  (declare (salience 1000))
  (play-phase)
  ?turn <- (turn (player ?player))
  ?before <- (next ?previous ?player)
  ?after <- (next ?player ?next)
  (not (card (player ?player)))
  =>
  (printout t ?player " is out" crlf)
  (assert (player ?player wins the game))
  (assert (next ?previous ?next))
  (modify ?turn (player ?next))
  (retract ?before ?after))

; Holds only the joker when it is his turn, even while others still play: see oldmaid.clp.
(defrule loser
  (declare (salience 10))
  (play-phase)
  (turn (player ?player))
  (card (suit joker) (player ?player))
  (not (card (suit ~joker) (player ?player)))
  =>
  (printout t ?player " loses" crlf)
  (assert (player ?player loses the game)))

; For croupier run and its like: see ../clips/README.md.
(deffacts game
  (game-players A B C D)
  (game-strategy random))
(defrule lost
  (player ?player loses the game)
  =>
  (assert (game-loses ?player)))
