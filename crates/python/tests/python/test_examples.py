"""Tests of the folder `examples`: the scripts, on Ethereum's tests, and the notebook without its pictures."""

import json
import runpy
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"


def test_eip197_gives_the_results_of_ethereum(vectors):
    tests = json.loads((vectors / "evm-bn254/bn256Pairing.json").read_text())
    calls = [test["Input"] for test in tests]
    wanted = [test["Expected"][63:] for test in tests]
    first = calls[0]
    # a wrong y, an x that is not below q, a missing byte, and a character that is no hexadecimal digit
    calls[2:2] = [first[:127] + "f" + first[128:], "ff" + first[2:], first[2:], "x" + first[1:]]
    wanted[2:2] = ["invalid"] * 4
    assert runpy.run_path(EXAMPLES / "python/eip197.py")["answers"](calls) == wanted


def test_bls_gives_the_results_of_ethereum(vectors):
    answers = runpy.run_path(EXAMPLES / "python/bls.py")["answers"]
    lines, wanted = [], []
    for file in sorted((vectors / "bls12-381-tests-v0.1.1/verify").iterdir()):
        test = json.loads(file.read_text())
        lines.append(" ".join(test["input"][name].removeprefix("0x") for name in ("pubkey", "message", "signature")))
        wanted.append("valid" if test["output"] else "invalid")
    assert "valid" in wanted and "invalid" in wanted
    # a character that is no hexadecimal digit, a missing digit, a missing byte, two words, four words, and no word
    first = lines[wanted.index("valid")]
    bad = ["x" + first[1:], first[1:], first[2:], first.rpartition(" ")[0], first + " 00", ""]
    lines[2:2] = bad
    wanted[2:2] = ["invalid"] * len(bad)
    assert answers(lines) == wanted
    assert answers(bad) == ["invalid"] * len(bad)
    assert answers([]) == []


def test_notebook_runs():
    cells = [cell for cell in json.loads((EXAMPLES / "search.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
    pictures = [cell for cell in cells if "picture" in cell["metadata"].get("tags", [])]
    sources = ["".join(cell["source"]) for cell in cells if cell not in pictures]
    # runs the notebook with a fifth of its 60 rows
    assert sum("range(60)" in source for source in sources) == 1
    names = {}
    for source in sources:
        exec(compile(source.replace("range(60)", "range(12)"), "search.ipynb", "exec"), names)
    assert len(names["answers"]) == len(names["predicates"]) > 3
    # the output stored in the notebook is the output of this code
    printed = [output for cell in cells for output in cell["outputs"] if output["output_type"] == "stream"]
    assert "".join(printed[1]["text"]) == "".join(
        f"{cost:3} pairings a row: {predicate}\n" for predicate, cost in zip(names["predicates"], names["costs"])
    )
    assert names["done"] == len(names["many"]) > 0
    assert all("image/png" in cell["outputs"][0]["data"] for cell in pictures)
