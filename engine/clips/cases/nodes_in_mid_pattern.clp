; A pattern ends at a node that another passes through: the order of activations tells.
(deftemplate t (slot p) (slot q) (multislot m))
(watch activations)
(defrule first (t (p ?b&~3) (q ?c)) (v) => (printout t first crlf))
(defrule second
  (t (p ?) (q ?d))
  (r)
  (t (p ?b&~3) (m $? 3|2 $?))
  =>
  (printout t second " " ?d crlf))
(assert (r))
(assert (t (p y)))
(assert (t (p 3) (q x) (m 2 x)))
(assert (t (p 2) (q 2) (m 2 3 3)))
(assert (v))
(agenda)
(run)
(exit)
