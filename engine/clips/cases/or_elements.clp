(watch facts)
(watch activations)
(watch rules)

(defrule o (or (a ?x) (b ?x)) (or (c) (d)) => (printout t o ?x crlf))
(assert (a 1) (b 1) (c) (d))
(agenda)
(run)
(exit)
