(printout t bye crlf)
(exit 7)
(exit)
