(watch facts)
(watch activations)
(watch rules)

(defrule t (a ?x) (not (b ?x)) (test (> ?x 1)) => (printout t ?x crlf))
(assert (a 1) (a 2) (a 3) (b 3))
(retract 4)
(run)
(exit)
