# Sourced by the scripts that test runs: what was wanted, what came.
failures=0

# expect NAME WANTED ACTUAL
expect() {
    if [ "$2" != "$3" ]; then
        printf 'FAILED %s\n  wanted: %s\n  actual: %s\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}
# same NAME FOLDER FOLDER: the files that are a function of the games alone
same() {
    local file
    for file in games.csv summary.json; do
        cmp "$2/$file" "$3/$file" || { echo "FAILED $1"; failures=$((failures + 1)); }
    done
    if [ -e "$2/moves.jsonl" ] || [ -e "$3/moves.jsonl" ]; then
        cmp "$2/moves.jsonl" "$3/moves.jsonl" ||
            { echo "FAILED $1: moves.jsonl"; failures=$((failures + 1)); }
    fi
    cmp <(counts "$2") <(counts "$3") || { echo "FAILED $1: rules.csv"; failures=$((failures + 1)); }
}
# counts FOLDER: its rules.csv without the times, which are the last eleven columns
counts() { sed -E 's/(,[^,]*){11}$//' "$1/rules.csv"; }
# Ends the script.
conclude() {
    [ "$failures" = 0 ] && echo "all as wanted"
    exit $((failures > 0))
}
