#!/bin/sh
# Searches an encrypted table; `make run` ends with this script. It encrypts 2000 rows, finds the rows for which a
# predicate holds with a token, and compares them with the rows that awk finds in the plain table. It then prints how
# long a million rows would take, at this size and at the size of a1-1024, there on a GPU too.
#
#     examples/search.sh BILINEAR FOLDER [ROWS [LARGE]]
#
# The key has two primes of 128 bits, so that this takes seconds on a slow processor; a number of 256 bits can be factored in minutes. All
# files are left in FOLDER, which is recreated.

set -eu

bilinear=$1
folder=$2
rows=${3:-2000}
predicate="city = 'Lyon' AND team = 'red' AND state = 'paid' AND plan = 'basic'"

# The number of rows at the size of a1-1024, from which rates are computed there: at most ROWS.
few=${4:-96}
# The number of rows of a short table, whose time tells how long a search takes to begin.
fewest=8

rm -rf "$folder"
mkdir -p "$folder"

# quietly ARGUMENTS...: runs the command, and shows its messages only if it fails.
quietly() {
    "$bilinear" "$@" 2>"$folder/log" || {
        cat "$folder/log" >&2
        exit 1
    }
}

# scan NAME OPTIONS...: searches the first rows of the table NAME and then all rows, and leaves the messages of the
# two searches in start.told and NAME.told.
scan() {
    name=$1
    shift
    head -n "$fewest" "$folder/$name.encrypted.jsonl" >"$folder/start.encrypted.jsonl"
    for part in start "$name"; do
        quietly search scan --token "$folder/$name.token" --in "$folder/$part.encrypted.jsonl" --out "$folder/$part.found.jsonl" "$@"
        mv "$folder/log" "$folder/$part.told"
    done
}

# table NAME ROWS KEY...: makes keys with the options KEY and a token, and encrypts the first ROWS rows.
table() {
    name=$1
    count=$2
    shift 2
    quietly search keygen "$@" --schema "$folder/schema" --public "$folder/$name.public" --secret "$folder/$name.secret"
    quietly search token --secret "$folder/$name.secret" --out "$folder/$name.token" "$predicate"
    head -n "$count" "$folder/plain.jsonl" >"$folder/$name.plain.jsonl"
    quietly search encrypt --public "$folder/$name.public" --message note --text \
        --in "$folder/$name.plain.jsonl" --out "$folder/$name.encrypted.jsonl"
    mv "$folder/log" "$folder/$name.made"
}

# count NAME: prints the number of rows of the encrypted table.
count() {
    wc -l <"$folder/$1.encrypted.jsonl"
}

# rate NAME WHAT: prints the rates of a scan beyond its first rows, and the time of a million rows at these rates.
rate() {
    awk -v what="$2" -v rows="$(count "$1")" -v fewest="$(count start)" '
        /^speed:/ {
            # speed: X pairings/s (N in T s), Y rows/s
            pairings = substr($4, 2) - pairings
            seconds = $6 - begin
            if (NR == FNR) begin = seconds
        }
        END {
            if (rows <= fewest || seconds < 0.01) {
                printf "  %-11s too short to measure: %d rows\n", what, rows
                exit
            }
            each = (rows - fewest) / seconds
            left = 1e6 / each
            unit = "s"
            if (left >= 120) { left /= 60; unit = "min" }
            if (left >= 120) { left /= 60; unit = "h" }
            printf "  %-11s %8.0f pairings/s, %7.1f rows/s, once %.1f s to begin; a million rows: %.1f %s (extrapolated from %d)\n", \
                what, pairings / seconds, each, begin, left, unit, rows
        }' "$folder/start.told" "$folder/$1.told"
}

# rates NAME: searches a table that repeats the table NAME ten times, on one core and on all cores, and prints the rates.
rates() {
    for _ in 1 2 3 4 5 6 7 8 9 10; do cat "$folder/$1.encrypted.jsonl"; done >"$folder/many.encrypted.jsonl"
    cp "$folder/$1.token" "$folder/many.token"
    scan many --threads 1
    rate many "1 core"
    if [ "$cores" -gt 1 ]; then
        mv "$folder/many.found.jsonl" "$folder/one.jsonl"
        scan many
        cmp "$folder/one.jsonl" "$folder/many.found.jsonl"
        rate many "$cores cores"
    fi
}

cores=$(nproc 2>/dev/null || echo 1)

printf 'hidden vector\ncity text\nteam text\nstate text\nplan text\n' >"$folder/schema"
awk -v rows="$rows" 'BEGIN {
    split("Lyon Paris Nice Bern Zürich", city); split("red blue green", team); split("new paid", state); split("basic full", plan)
    # the minimal standard generator of Park and Miller, so that the table is the same each time
    x = 2026
    for (row = 0; row < rows; row++) {
        for (i = 1; i <= 4; i++) { x = x * 16807 % 2147483647; r[i] = int(x / 64) }
        printf "{\"city\":\"%s\",\"team\":\"%s\",\"state\":\"%s\",\"plan\":\"%s\",\"note\":\"customer %d\"}\n", \
            city[r[1] % 5 + 1], team[r[2] % 3 + 1], state[r[3] % 2 + 1], plan[r[4] % 2 + 1], row
    }
}' >"$folder/plain.jsonl"

echo
echo "Search: $rows encrypted rows of 4 attributes, key of 2 x 128 bits (too short to be safe)"
echo "  $predicate"
quietly params new a1 --insecure --primes 128,128 --out "$folder/small.toml" --factors-out "$folder/small.factors"
table small "$rows" --params "$folder/small.toml" --factors "$folder/small.factors"
awk '/^speed:/ { sub(/^speed: /, ""); print "  encrypted " $0 }' "$folder/small.made"

rates small
scan small
awk -F'"' '/"match":true/ { sub(/[^0-9]*/, "", $3); sub(/,.*/, "", $3); print $3 }' "$folder/small.found.jsonl" >"$folder/found"
awk -F'"' '$4 == "Lyon" && $8 == "red" && $12 == "paid" && $16 == "basic" { print NR - 1 }' "$folder/plain.jsonl" >"$folder/wanted"
if ! cmp -s "$folder/found" "$folder/wanted"; then
    echo "  the rows found are not those of the plain table: compare $folder/found and $folder/wanted" >&2
    exit 1
fi
echo "  found $(wc -l <"$folder/found") rows, as in the plain table: $(head -n 8 "$folder/found" | tr '\n' ' ')..."

table large "$few" --curve a1-1024
echo "Search: the same with $((10 * $(count large))) rows at the size of a1-1024 (2 x 512 bits)"
rates large
# A GPU computes thousands of rows at a time. Without a GPU, the command uses the processor and says so.
quietly search scan --token "$folder/many.token" --in "$folder/start.encrypted.jsonl" --out "$folder/gpu.jsonl" --engine cuda
if grep -q '^curve: .*, engine cuda' "$folder/log"; then
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat "$folder/many.encrypted.jsonl"; done >"$folder/most.encrypted.jsonl"
    mv "$folder/many.token" "$folder/most.token"
    scan most --engine cuda
    rate most "a GPU"
else
    echo "  a GPU       there is none here, and none was measured: 9 pairings a row at 3 to 5 us, which a model gives for an H100, would be 27 to 45 s for a million rows (extrapolated)"
fi
