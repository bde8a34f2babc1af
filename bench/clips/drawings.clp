; Labels the lines of drawings of blocks by passing labels from corner to corner: many small joins
; over edges, in the style of the classic "waltz". facts.sh writes the drawings.
(deftemplate line (slot a) (slot b))
(deftemplate edge (slot from) (slot to) (slot joined) (slot label))
(deftemplate corner (slot kind) (slot at) (slot x) (slot y) (slot z))

(defrule both-ways
  (declare (salience 20))
  ?line <- (line (a ?a) (b ?b))
  =>
  (retract ?line)
  (assert (edge (from ?a) (to ?b) (joined no) (label none))
          (edge (from ?b) (to ?a) (joined no) (label none))))

(defrule corner-of-three
  (declare (salience 10))
  ?e1 <- (edge (from ?at) (to ?x) (joined no))
  ?e2 <- (edge (from ?at) (to ?y&~?x) (joined no))
  ?e3 <- (edge (from ?at) (to ?z&~?x&~?y) (joined no))
  =>
  (assert (corner (kind (if (evenp (+ ?x ?y ?z)) then arrow else fork)) (at ?at) (x ?x) (y ?y) (z ?z)))
  (modify ?e1 (joined yes))
  (modify ?e2 (joined yes))
  (modify ?e3 (joined yes)))

(defrule corner-of-two
  (declare (salience 5))
  ?e1 <- (edge (from ?at) (to ?x) (joined no))
  ?e2 <- (edge (from ?at) (to ?y&~?x) (joined no))
  (not (edge (from ?at) (to ?z&~?x&~?y)))
  =>
  (assert (corner (kind bend) (at ?at) (x ?x) (y ?y) (z none)))
  (modify ?e1 (joined yes))
  (modify ?e2 (joined yes)))

(defrule start-labels
  (corner (kind bend) (at ?at) (x ?x))
  ?edge <- (edge (from ?at) (to ?x) (label none))
  (not (started ?at))
  =>
  (assert (started ?at))
  (modify ?edge (label border)))

(defrule same-from-other-end
  (edge (from ?a) (to ?b) (label ?label&~none))
  ?edge <- (edge (from ?b) (to ?a) (label none))
  =>
  (modify ?edge (label ?label)))

(defrule through-bend
  (corner (kind bend) (at ?at) (x ?x) (y ?y))
  (edge (from ?at) (to ?x|?y) (label border))
  ?edge <- (edge (from ?at) (to ?x|?y) (label none))
  =>
  (modify ?edge (label border)))

(defrule through-arrow
  (corner (kind arrow) (at ?at) (x ?x) (y ?y) (z ?z))
  (edge (from ?at) (to ?to) (label border))
  (test (member$ ?to (create$ ?x ?y ?z)))
  ?edge <- (edge (from ?at) (to ?other&~?to) (label none))
  =>
  (modify ?edge (label (if (> ?other ?to) then border else plus))))

(defrule through-fork
  (corner (kind fork) (at ?at))
  (edge (from ?at) (to ?to) (label ?label&plus|border))
  ?edge <- (edge (from ?at) (to ?other&~?to) (label none))
  =>
  (modify ?edge (label (if (eq ?label plus) then plus else minus))))

(defrule count-labels
  (declare (salience -10))
  ?labels <- (labels ?n)
  ?edge <- (edge (label ~none&~counted))
  =>
  (retract ?labels)
  (assert (labels (+ ?n 1)))
  (modify ?edge (label counted)))

(defrule show
  (declare (salience -20))
  (labels ?n)
  =>
  (printout t ?n " labels" crlf))
