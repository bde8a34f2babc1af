(watch facts)
(watch activations)
(watch rules)

(defrule m (l $?a ?x $?b ?x $?c) => (printout t ?a " " ?x " " ?b " " ?c crlf))
(defrule k (l $?a ?x&:(numberp ?x) $?b) => (printout t number ?x crlf))
(assert (l 1 2 1 2 1))
(run)
(exit)
