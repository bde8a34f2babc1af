; Seats guests at a table so that neighbours differ in sex and share a hobby: joins over a growing
; set of paths, in the style of the classic "manners". facts.sh writes the guests.
(deftemplate guest (slot name) (slot sex) (slot hobby))
(deftemplate seat (slot id) (slot before) (slot left) (slot right) (slot at) (slot settled))
(deftemplate path (slot id) (slot name) (slot at))
(deftemplate tried (slot id) (slot name) (slot hobby))

(defrule begin
  ?stage <- (stage start)
  (guest (name ?name))
  ?number <- (number ?id)
  =>
  (assert (seat (id ?id) (before 0) (left ?name) (right ?name) (at 1) (settled yes))
          (path (id ?id) (name ?name) (at 1))
          (number (+ ?id 1))
          (stage assign))
  (retract ?number ?stage))

(defrule find-neighbour
  ?stage <- (stage assign)
  (seat (id ?id) (right ?right) (at ?at) (settled yes))
  (guest (name ?right) (sex ?sex) (hobby ?hobby))
  (guest (name ?next) (sex ?other&~?sex) (hobby ?hobby))
  ?number <- (number ?new)
  (not (path (id ?id) (name ?next)))
  (not (tried (id ?id) (name ?next) (hobby ?hobby)))
  =>
  (assert (seat (id ?new) (before ?id) (left ?right) (right ?next) (at (+ ?at 1)) (settled no))
          (path (id ?new) (name ?next) (at (+ ?at 1)))
          (tried (id ?id) (name ?next) (hobby ?hobby))
          (number (+ ?new 1))
          (stage path))
  (retract ?number ?stage))

(defrule copy-path
  (stage path)
  (seat (id ?id) (before ?before) (settled no))
  (path (id ?before) (name ?name) (at ?at))
  (not (path (id ?id) (name ?name)))
  =>
  (assert (path (id ?id) (name ?name) (at ?at))))

(defrule path-copied
  (declare (salience -1))
  ?stage <- (stage path)
  ?seat <- (seat (settled no))
  =>
  (modify ?seat (settled yes))
  (retract ?stage)
  (assert (stage check)))

(defrule all-seated
  ?stage <- (stage check)
  (last-seat ?last)
  (seat (id ?id) (at ?last) (settled yes))
  =>
  (retract ?stage)
  (assert (stage print ?id)))

(defrule go-on
  (declare (salience -1))
  ?stage <- (stage check)
  =>
  (retract ?stage)
  (assert (stage assign)))

(defrule show
  (stage print ?id)
  (path (id ?id) (name ?name) (at ?at))
  =>
  (printout t ?at " " ?name crlf))
