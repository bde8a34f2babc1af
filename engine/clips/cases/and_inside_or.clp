(watch facts)
(watch activations)
(watch rules)

(defrule o (x ?v) (or (and (a ?v) (b ?v)) (c ?v)) => (printout t o ?v crlf))
(assert (x 1) (a 1) (b 1) (c 1))
(run)
(exit)
