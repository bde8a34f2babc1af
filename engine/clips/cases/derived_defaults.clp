(deftemplate r (slot a (type INTEGER) (range 3 9)) (slot b (type FLOAT) (range 1.5 2.5)) (slot c (type INTEGER STRING)) (slot d (allowed-values 7 x "s")) (slot e (type NUMBER)) (slot f (type LEXEME)) (multislot g (type INTEGER)))
(assert (r))
(facts)
(exit)
