; a comment
(assert (tok +7 -3 .5 1. 1e3 1e a-b a<b "s;t")) ; trailing
(assert (tok +7 -3 .5 1. 1e3 1e a-b "s;t"))
(facts)
(printout t a)(printout t b)
(printout t
   c
   crlf)
(exit)
