#!/usr/bin/env bash
# facts.sh guests N | drawings N: the deffacts of the two classics, the same on every machine.
awk -v what="$1" -v n="$2" '
function draw(m) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % m }
BEGIN {
    state = 42
    print "(deffacts " what
    if (what == "guests") {
        for (i = 1; i <= n; i++) {
            sex = i % 2 ? "m" : "f"
            first = 1
            for (h = 1; h <= 3; h++)
                if (h == first || draw(2)) print "  (guest (name n" i ") (sex " sex ") (hobby h" h "))"
        }
        print "  (last-seat " n ") (number 1) (stage start))"
    } else {
        split("1 2 2 3 3 4 4 5 5 6 6 1 1 7 3 7 5 7 8 9 9 10 10 11 11 8 2 9", ends, " ")
        for (d = 0; d < n; d++)
            for (e = 1; e < 28; e += 2)
                print "  (line (a " (d * 100 + ends[e]) ") (b " (d * 100 + ends[e + 1]) "))"
        print "  (labels 0))"
    }
}'
