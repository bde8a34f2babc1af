; Nim: who takes the last of twelve has won. A program of CLIPS as a game: see ../clips/README.md.
(deffacts game
  (game-players First Second)
  (next First Second) (next Second First)
  (take 1) (take 2) (take 3)
  (pile 12)
  (game-turn First))

(defrule offer
  (game-turn ?) (pile ?left) (take ?some&:(<= ?some ?left))
  =>
  (assert (game-move take ?some)))

(defrule take
  ?choice <- (game-chosen ?player take ?some)
  ?pile <- (pile ?left)
  (next ?player ?other)
  =>
  (retract ?choice ?pile)
  (assert (pile (- ?left ?some)))
  (if (= ?left ?some)
    then (assert (game-wins ?player) (game-loses ?other))
    else (assert (game-turn ?other))))

; Both see the pile, as long as it is the pile.
(defrule see
  (logical (pile ?left)) (next ?player ?)
  =>
  (assert (game-sees ?player pile ?left)))
