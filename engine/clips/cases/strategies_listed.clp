(printout t (get-strategy) crlf)
(printout t (set-strategy lex) crlf)
(printout t (get-strategy) crlf)
(exit)
