#!/usr/bin/env bash
# equality.sh literal|predicate|test: a program whose 100 rules ask for 100 values, in one of three forms.
awk -v form="$1" 'BEGIN {
    for (i = 1; i <= 100; i++) {
        if (form == "literal") pattern = "(value " i ")"
        else if (form == "predicate") pattern = "(value ?x&:(eq ?x " i "))"
        else pattern = "(value ?x) (test (eq ?x " i "))"
        print "(defrule r" i " ?go <- (go) " pattern " => )"
    }
    print "(defrule next (declare (salience -1)) ?go <- (go) ?value <- (value ?x) => (retract ?value) (assert (value (+ 1 (mod (* ?x 7) 101)))) (bind ?*n* (- ?*n* 1)) (if (< ?*n* 0) then (halt)))"
}' | sed '1i (defglobal ?*n* = 100000)'
echo '(deffacts f (go) (value 1))'
