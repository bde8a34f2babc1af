(watch facts)
(watch activations)
(watch rules)

(defrule j (want ?x) (have $?a ?x $?b) => (printout t ?a ?x ?b crlf))
(assert (have 1 2 3) (want 2) (want 3) (have 3 3))
(run)
(exit)
