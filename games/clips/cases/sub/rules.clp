(defrule sub-rule (a) => (printout t "sub" crlf))
