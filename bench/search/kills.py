"""Tests that encryptions and searches that are killed at random moments lose nothing that was finished, and make nothing twice.

    bench/search/kills.sh [--kills 50] [--rows 2000] [--seed N]

A table is encrypted, and a token is evaluated on it. Both runs are killed (SIGKILL) after a random part of the time that a run takes, and
resumed with --resume, many times. Bytes that a checkpoint counted as finished must stay in the file to the end; every row must be there
once; a search must produce the same bytes as a search that was not killed. Factors of 72 bits are enough here, though too small for
secrecy. The status is 1 at the first difference, and the message names the seed.
"""

import argparse
import json
import pathlib
import random
import secrets
import shlex
import subprocess
import sys
import tempfile
import time

CITIES = ["Lyon", "Paris", "Nice", "Bern"]


class Command:
    """The `bilinear` command, run in a folder."""

    def __init__(self, bilinear, folder, seed):
        self.bilinear, self.folder, self.seed = bilinear, folder, seed

    def fail(self, text):
        sys.exit(f"seed {self.seed}: {text}")

    def start(self, words):
        return subprocess.Popen(
            [self.bilinear, *shlex.split(words)], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def run(self, words):
        child = self.start(words)
        said = child.communicate()[1].decode()
        if child.returncode:
            self.fail(f"bilinear {words}: status {child.returncode}\n{said}")

    def file(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else b""

    def killed(self, rng, words, out, kills, whole):
        """Starts a command `kills` times, kills each run at a random moment of the first `whole` seconds, and lets a
        last run end. Returns how many of the killed runs had finished something."""
        finished, resumed = b"", 0
        for kill in range(1, kills + 1):
            child = self.start(f"{words} --resume" if finished else words)
            time.sleep(rng.random() * whole)
            child.kill()
            said = child.communicate()[1].decode()
            if child.returncode > 0:
                self.fail(f"bilinear {words}: status {child.returncode} after {kill - 1} kills\n{said}")
            if child.returncode == 0:
                # the run had ended before it was killed
                self.ended(out, finished)
                finished = b""
                continue
            checkpoint = self.file(f"{out}.resume")
            counted = json.loads(checkpoint.splitlines()[0])["bytes"] if checkpoint else 0
            now = self.file(f"{out}.part")[:counted]
            if len(now) != counted or not now.startswith(finished):
                self.fail(f"{out}: kill {kill} has lost what was finished")
            finished, resumed = now, resumed + bool(counted)
        self.run(f"{words} --resume" if finished else words)
        self.ended(out, finished, keep=True)
        return resumed

    def ended(self, out, finished, keep=False):
        """Checks a complete output, and deletes it unless `keep` is set."""
        if not self.file(out).startswith(finished):
            self.fail(f"{out}: what was finished has changed")
        if [name for name in self.folder.iterdir() if name.name.startswith(f"{out}.")]:
            self.fail(f"{out}: a part file or a checkpoint was left")
        if not keep:
            (self.folder / out).unlink()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--bilinear", required=True, help="the command")
    arguments.add_argument("--kills", type=int, default=50)
    arguments.add_argument("--rows", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=secrets.randbits(32))
    given = arguments.parse_args()
    rng = random.Random(given.seed)
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        kill(given, rng, Command(given.bilinear, pathlib.Path(folder), given.seed))


def measured(given, rng, command, words, out):
    """Runs a command undisturbed, into once-OUT, and again with many kills, into OUT. Prints a summary of both."""
    began = time.monotonic()
    command.run(f"{words} --out once-{out}")
    took = time.monotonic() - began
    resumed = command.killed(rng, f"{words} --out {out}", out, given.kills, 0.8 * took)
    name = words.split()[1]
    print(f"{name}: {given.rows} rows in {took:.1f} s, killed {given.kills} times, {resumed} of them with finished rows", flush=True)


def kill(given, rng, command):
    folder = command.folder
    plain = [{"city": rng.choice(CITIES), "stars": rng.randint(1, 5), "note": f"row {i}"} for i in range(given.rows)]
    (folder / "plain.jsonl").write_text("".join(json.dumps(row) + "\n" for row in plain))
    (folder / "schema").write_text("hidden vector\ncity text\nstars integer 1 5\n")
    command.run("params new a1 --insecure --primes 72,72 --out curve --factors-out factors")
    command.run("search keygen --params curve --factors factors --schema schema --public public --secret secret")
    encrypt = "search encrypt --public public --message note --text --in plain.jsonl --chunk 20"
    measured(given, rng, command, encrypt, "encrypted.jsonl")
    command.run("search token --secret secret --out lyon.token \"city = 'Lyon'\"")
    measured(given, rng, command, "search scan --token lyon.token --in encrypted.jsonl --chunk 20", "answers.jsonl")
    if command.file("answers.jsonl") != command.file("once-answers.jsonl"):
        command.fail("the answers differ from those of a run that nobody killed")
    answers = [json.loads(line) for line in command.file("answers.jsonl").splitlines()]
    if [answer["row"] for answer in answers] != list(range(given.rows)):
        command.fail("rows are missing, or there twice")
    if [answer["match"] for answer in answers] != [row["city"] == "Lyon" for row in plain]:
        command.fail("the answers are not those of the plain table")
    opened = [bytes.fromhex(answer["opened"]).decode() for answer in answers if answer["match"]]
    if opened != [row["note"] for row in plain if row["city"] == "Lyon"]:
        command.fail("the messages are not those of the plain table")
    print("nothing was lost, and nothing made twice")


main()
