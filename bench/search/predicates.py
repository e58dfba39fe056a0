"""Tests random predicates over an encrypted table: `bilinear search scan` must find the same rows as pandas in the plain table.

    bench/search/predicates.sh [--predicates 200] [--rows 2000] [--seed N]

Half of the predicates search hidden vectors, half inner products, with all predicates of a scheme in one pass. Each predicate is drawn as
its text and the mask that pandas computes; the mask is false for null, as in SQL's WHERE. Factors of 48 to 72 bits are far too small for
secrecy, but large enough that no answer is right by chance. The status is 1 at the first difference, and the message names seed, predicate
and rows.
"""

import argparse
import pathlib
import random
import secrets
import subprocess
import sys
import tempfile
import time

import pandas

CITIES = ["Lyon", "Paris", "Zürich", "Saint-Étienne", "L'Isle", "Nice", "Bern", ""]
STATES = ["new", "paid", "sent", "it's lost", "back"]
AGES = range(0, 31)
STARS = range(-5, 6)

SCHEMES = {
    "hidden vector": ("72,72", "", ""),
    "inner product": ("48,48,48", " most 2", "join city state\n"),
}


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def schema(scheme):
    _, most, joined = SCHEMES[scheme]
    choices = " ".join(quoted(state) for state in STATES)
    return (
        f"{scheme}\ncity text{most}\nage integer {AGES[0]} {AGES[-1]}{most and ' most 3'}\n"
        f"stars integer {STARS[0]} {STARS[-1]}{most}\nstate choice {choices}{most}\n{joined}"
    )


def table(rng, count):
    """Returns rows in which one value in ten is null."""

    def column(values):
        return [None if rng.random() < 0.1 else rng.choice(values) for _ in range(count)]

    return pandas.DataFrame(
        {
            "city": pandas.array(column(CITIES), dtype="string"),
            "age": pandas.array(column(AGES), dtype="Int64"),
            "stars": pandas.array(column(STARS), dtype="Int64"),
            "state": pandas.array(column(STATES), dtype="string"),
            "note": pandas.array([f"row {i}" for i in range(count)], dtype="string"),
        }
    )


class Predicates:
    """Random predicates as texts, each with its mask for the rows of a table."""

    def __init__(self, rng, scheme, plain):
        self.rng, self.inner, self.plain = rng, scheme == "inner product", plain

    def everything(self):
        return pandas.Series(True, index=self.plain.index)

    def equal(self, name, values):
        value = self.rng.choice(values)
        text = quoted(value) if isinstance(value, str) else str(value)
        sign = self.rng.choice(["=", " = "])
        return f"{name}{sign}{text}", self.plain[name] == value

    def among(self, name, values, most):
        chosen = self.rng.sample(list(values), self.rng.randint(1, most))
        texts = ", ".join(quoted(value) if isinstance(value, str) else str(value) for value in chosen)
        word = self.rng.choice(["IN", "in"])
        return f"{name} {word} ({texts})", self.plain[name].isin(chosen)

    def between(self, name, values, longest):
        length = self.rng.randint(1, longest)
        low = self.rng.randint(values[0], values[-1] - length + 1)
        high = low + length - 1
        return f"{name} BETWEEN {low} AND {high}", self.plain[name].between(low, high)

    def compared(self, name, values, longest):
        """Returns a comparison that at most `longest` values satisfy."""
        count = self.rng.randint(1, longest)
        below, above = values[0] + count - 1, values[-1] - count + 1
        column = self.plain[name]
        return self.rng.choice(
            [
                (f"{name} <= {below}", column <= below),
                (f"{name} < {below + 1}", column < below + 1),
                (f"{name} >= {above}", column >= above),
                (f"{name} > {above - 1}", column > above - 1),
            ]
        )

    def condition(self, name):
        rng, inner = self.rng, self.inner
        if rng.random() < 0.08:
            return rng.choice(["*", f"{name} = *", f"({name} = *)"]), self.everything()
        if name == "city":
            return self.among(name, CITIES, 2) if inner and rng.random() < 0.5 else self.equal(name, CITIES)
        if name == "state":
            return self.among(name, STATES, 2 if inner else 4) if rng.random() < 0.6 else self.equal(name, STATES)
        values, longest = (AGES, 3 if inner else 25) if name == "age" else (STARS, 2 if inner else 10)
        kinds = [self.equal(name, values), self.between(name, values, longest), self.compared(name, values, longest)]
        if inner:
            kinds.append(self.among(name, values, longest))
        return rng.choice(kinds)

    def alternative(self):
        """Returns the OR of two conditions: over joined attributes for inner products, within one attribute for hidden vectors."""
        if self.inner:
            (a, left), (b, right) = self.equal("city", CITIES), self.equal("state", STATES)
        elif self.rng.random() < 0.5:
            (a, left), (b, right) = self.equal("state", STATES), self.equal("state", STATES)
        else:
            middle, low, high = self.rng.randint(10, 20), self.rng.randint(0, 9), self.rng.randint(21, 30)
            age = self.plain["age"]
            (a, left) = f"age BETWEEN {low} AND {middle}", age.between(low, middle)
            (b, right) = f"age BETWEEN {middle - 2} AND {high}", age.between(middle - 2, high)
        word = self.rng.choice(["OR", "or"])
        return f"({a} {word} {b})", left.fillna(False) | right.fillna(False)

    def draw(self):
        names = self.rng.sample(["city", "age", "stars", "state"], self.rng.randint(1, 3))
        parts = [self.condition(name) for name in names]
        if self.rng.random() < 0.25:
            # replaces the conditions on the attributes of the alternative
            used = ["city", "state"] if self.inner else ["age", "state"]
            parts = [self.condition(name) for name in names if name not in used] + [self.alternative()]
        text, mask = " AND ".join(text for text, _ in parts), self.everything()
        for _, part in parts:
            mask &= part.fillna(False).astype(bool)
        return text, mask


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bilinear", required=True, help="the command")
    arguments.add_argument("--predicates", type=int, default=200)
    arguments.add_argument("--rows", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    given = arguments.parse_args()
    rng = random.Random(given.seed)
    print(f"seed {given.seed}, pandas {pandas.__version__}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for scheme in SCHEMES:
            compare(given, rng, scheme, folder / scheme.replace(" ", "-"))


def compare(given, rng, scheme, folder):
    folder.mkdir()

    def run(*words, status=0):
        done = subprocess.run(
            [given.bilinear, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode != status:
            sys.exit(f"seed {given.seed}: bilinear {' '.join(map(str, words))}: status {done.returncode}\n{done.stderr}")
        return done.stderr

    count, plain = given.predicates // 2, table(rng, given.rows)
    plain.to_parquet(folder / "plain.parquet")
    (folder / "schema").write_text(schema(scheme))
    primes = SCHEMES[scheme][0]
    run("params", "new", "a1", "--insecure", "--primes", primes, "--out", "curve", "--factors-out", "factors")
    key = ["--schema", "schema", "--public", "public", "--secret", "secret"]
    run("search", "keygen", "--params", "curve", "--factors", "factors", *key)
    encrypt = ["--public", "public", "--message", "note", "--text", "--in", "plain.parquet", "--out", "e.parquet"]
    run("search", "encrypt", *encrypt)
    drawn = Predicates(rng, scheme, plain)
    wanted, tokens, pairings = {}, [], 0
    for i in range(count):
        text, mask = drawn.draw()
        said = run("search", "token", "--secret", "secret", "--out", f"p{i}.token", text)
        pairings += int(said.split(" pairings a row")[0].split()[-1])
        wanted[f"p{i}"] = (text, mask)
        tokens += ["--token", f"p{i}.token"]
    began = time.monotonic()
    scan = ["search", "scan", *tokens, "--in", "e.parquet"]
    run(*scan, "--result", "bitmap", "--verify", 10, "--out", "bits.parquet")
    took = time.monotonic() - began
    bits = pandas.read_parquet(folder / "bits.parquet")
    for name, (text, mask) in wanted.items():
        differ = plain.index[bits[name].isna() | (bits[name].fillna(False).astype(bool) != mask)]
        if len(differ):
            sys.exit(f"seed {given.seed}, {scheme}: {text}\ndiffers in {len(differ)} rows: {list(differ[:20])}")
    # compares the rows themselves, with their messages, for the first predicates
    few, names = scan[: 2 + 2 * min(5, count)], list(wanted)[:5]
    run(*few, "--in", "e.parquet", "--result", "rows", "--rows-of", "plain.parquet", "--out", "rows.parquet")
    rows = pandas.read_parquet(folder / "rows.parquet")
    some = pandas.concat([wanted[name][1] for name in names], axis=1).any(axis=1)
    if not rows[plain.columns].astype(plain.dtypes).equals(plain[some].reset_index(drop=True)):
        sys.exit(f"seed {given.seed}, {scheme}: the rows found by the first {len(names)} predicates differ")
    for name in names:
        opened = rows["opened" if len(names) == 1 else f"opened_{name}"]
        notes = [message.decode() for message in opened if message is not None]
        if notes != list(plain["note"][wanted[name][1]]):
            sys.exit(f"seed {given.seed}, {scheme}: {wanted[name][0]}: the messages differ")
    held = sum(int(mask.sum()) for _, mask in wanted.values())
    rate = given.rows * pairings / took
    print(
        f"{scheme}: {count} predicates over {given.rows} rows, {held} answers of {count * given.rows} are yes: no difference; "
        f"{pairings} pairings a row, {took:.1f} s, {rate:.0f} pairings/s",
        flush=True,
    )


main()
