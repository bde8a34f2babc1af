; What is no 64-bit integer becomes the least of them.
(printout t (round 6e100) " " (integer 6e100) " " (integer -6e100) " " (round -6e100) crlf)
(printout t (div 6e100 3) " " (integer 9223372036854775807.0) " " (integer -9223372036854775808.0) crlf)
(printout t (format nil "%d" 6e100) crlf)
(exit)
