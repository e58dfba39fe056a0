#!/usr/bin/env python3
"""Synthesises one design with Yosys and counts its cells, as a line of JSON on standard output.

    synthesise.py FAMILY TOP [NAME=VALUE ...]

FAMILY is xc6v, xc7 or xcup (Xilinx; counts only), ecp5 (counts, and with --json FILE the netlist for place and route), or gates (logic
and flip-flops in gates of four transistors, as Yosys counts CMOS transistors; memories separately, in bits). slang reads the SystemVerilog.
A LUT with up to six inputs counts as one. A distributed memory counts as many LUTs as it takes sites. A block RAM of 36 kbit counts as 1,
one of 18 kbit as a half.
"""

import json
import pathlib
import re
import sys
import tempfile

from pyosys import libyosys as ys

HERE = pathlib.Path(__file__).resolve().parent.parent
# the number of LUT sites that a distributed memory takes
MEMORIES = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32M": 4, "RAM64M": 4, "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 2,
            "RAM256X1S": 4, "RAM32M16": 8, "RAM64M8": 8, "SRL16E": 1, "SRLC32E": 1}


def statistics(design, options=""):
    """Returns Yosys's statistics of the whole design."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        ys.run_pass(f"tee -q -o {file.name} stat -json {options}", design)
        return json.loads(pathlib.Path(file.name).read_text())["design"]


def count(family, kinds):
    """Counts LUT, FF, DSP and BRAM of a synthesised design."""
    def total(pattern):
        return sum(number for kind, number in kinds.items() if re.fullmatch(pattern, kind))
    if family == "ecp5":
        return {"lut": total("LUT4") + 2 * total("CCU2C") + 6 * total("TRELLIS_DPR16X4"), "ff": total("TRELLIS_FF"),
                "dsp": total("MULT18X18D"), "bram": total("DP16KD|PDPW16KD")}
    memories = sum(MEMORIES[kind] * number for kind, number in kinds.items() if kind in MEMORIES)
    return {"lut": total("LUT[1-6]") + memories, "ff": total("FD[RSCP]E(_1)?"), "dsp": total("DSP48E[12]"),
            "bram": total("RAMB36E[12]") + total("RAMB18E[12]") / 2}


def main():
    arguments = sys.argv[1:]
    netlist = None
    if "--json" in arguments:
        at = arguments.index("--json")
        netlist = arguments[at + 1]
        del arguments[at:at + 2]
    family, top, *parameters = arguments
    design = ys.Design()
    files = " ".join(str(HERE / line) for line in (HERE / "files.txt").read_text().split())
    ys.run_pass(f"read_slang --unroll-limit 100000 --top {top} {' '.join('-G ' + p for p in parameters)} {files}", design)
    if family == "gates":
        for command in ("proc; flatten; opt; wreduce; peepopt; opt_clean; alumacc; maccmap -unmap; opt; memory -nomap; opt_clean",
                        "techmap; opt; abc -g AND,NAND,OR,NOR,XOR,XNOR,MUX,AOI3,OAI3; opt_clean"):
            ys.run_pass(command, design)
        whole = statistics(design, "-tech cmos")
        transistors = re.sub("[^0-9]", "", str(whole["estimated_num_transistors"]))
        bits = whole["num_memory_bits"]
        print(json.dumps({"family": family, "top": top, "parameters": parameters, "gates": int(transistors) // 4, "memory_bits": bits}))
        return
    if family == "ecp5":
        ys.run_pass("synth_ecp5 -abc9" + (f" -json {netlist}" if netlist else ""), design)
    else:
        ys.run_pass(f"synth_xilinx -flatten -abc9 -family {family} -noiopad", design)
    kinds = statistics(design)["num_cells_by_type"]
    print(json.dumps({"family": family, "top": top, "parameters": parameters, **count(family, kinds), "cells": kinds}))


main()
