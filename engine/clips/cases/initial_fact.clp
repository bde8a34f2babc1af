(watch facts)
(watch activations)
(watch rules)

(defrule i (initial-fact) => (printout t i crlf))
(defrule j (initial-fact) (not (a)) => (printout t j crlf))
(reset)
(run)
(exit)
