(printout t (= 1 1.0) (eq 1 1.0) (<> 1 2) (neq a b c) (neq a b a) (< 1 2 3) (< 1 3 2) (>= 3 3 1) (<= 1 1 2) (> 3 2 2) crlf)
(printout t (and TRUE 1 x) (and TRUE FALSE) (or FALSE 0) (or FALSE FALSE) (not 3) (not FALSE) crlf)
(printout t (eq a a a) (eq "a" a) (= 1 1 1) (<> 1 2 1) crlf)
(exit)
