(printout t (numberp 1) (numberp a) (integerp 1.0) (floatp 1.0) (symbolp a) (symbolp "a") (stringp "a") (lexemep a) (lexemep 1) (multifieldp (create$)) (evenp 2) (oddp 2) crlf)
(exit)
