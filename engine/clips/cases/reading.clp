; There is nothing on standard input.
(deffunction ask () (bind ?x (read)) (printout t "read " ?x crlf) (readline))
(printout t "line " (ask) crlf)
(printout t "before " ?x crlf)
(printout t "before " ?*x* crlf)
(exit)
