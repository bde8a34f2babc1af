; A join by constant alone, behind a forall that holds without any fact.
(watch activations)
(defrule r
  (forall (u) (r x ?d))
  (t ?b)
  (test (eq ?b 2))
  =>
  (printout t "two" crlf))
(defrule s
  (not (and (u) (v)))
  (w ?x ?y)
  (test (eq ?y z))
  =>
  (printout t "z " ?x crlf))
(assert (t 1) (t 2))
(assert (w 1 z) (w 2 y))
(assert (u))
(retract 5)
(assert (u) (v))
(run)
(reset)
(assert (t 2))
(agenda)
(run)
(exit)
