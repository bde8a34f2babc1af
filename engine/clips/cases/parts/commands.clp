(assert (a 3))
(run)
(printout t "done" crlf)
