"""The example of the README."""

from pathlib import Path


def test_example_runs():
    text = (Path(__file__).resolve().parents[4] / "README.md").read_text()
    (example,) = (block.split("```")[0] for block in text.split("```python\n")[1:])
    exec(compile(example, "README.md", "exec"), {})
