(printout t "in batch" crlf)
(batch* "sub/missing.clp")
(+ 1 2)
