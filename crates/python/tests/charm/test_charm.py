"""Tests that schemes of Charm run unchanged on the curves of the package, by the examples in their documentation."""

import doctest
import importlib
import pathlib

import pytest

import bilinear
import bilinear.charm

bilinear.charm.install()

from charm.toolbox.pairinggroup import G1, G2, GT, ZR, PairingGroup, extract_key, pair  # noqa: E402

# all schemes of Charm that have examples and need none of Charm's other C modules
SCHEMES = """
abenc.abenc_bsw07 abenc.abenc_lsw08 abenc.abenc_maabe_rw15 abenc.abenc_unmcpabe_yahk14 abenc.abenc_waters09 abenc.dabe_aw11
commit.commit_gs08 grpsig.groupsig_bgls04 grpsig.groupsig_bgls04_var
ibenc.ibenc_CW13_z ibenc.ibenc_bb03 ibenc.ibenc_cllww12_z ibenc.ibenc_lsw08 ibenc.ibenc_sw05 ibenc.ibenc_waters09 ibenc.ibenc_waters09_z
pk_vrf pksig.pksig_bls04 pksig.pksig_boyen pksig.pksig_chch pksig.pksig_chp pksig.pksig_cl04 pksig.pksig_cllww12_z pksig.pksig_cyh
pksig.pksig_hess pksig.pksig_hw pksig.pksig_waters09 prenc.pre_afgh06
""".split()


@pytest.mark.parametrize("name", SCHEMES)
def test_examples_of_the_scheme_run(name):
    module = importlib.import_module(f"charm.schemes.{name}")
    assert "site-packages" not in module.__file__ and module.__file__.endswith(".py")
    found = doctest.testmod(module)
    assert found.attempted > 5 and found.failed == 0


@pytest.mark.parametrize("curve", ["SS512", "SS1024", "MNT159", "MNT201", "MNT224", "BN254", "BLS12-381", "A1-1024"])
def test_elements_obey_the_laws(curve):
    group = PairingGroup(curve)
    g, h, x, y = group.random(G1), group.random(G2), group.random(ZR), group.random(ZR)
    e = pair(g, h)
    assert pair(g**x, h**y) == e ** (x * y) == e**x * e ** (x * y - x)
    assert pair(h, g) == e and group.pair_prod([g, g**x], [h, h]) == e * e**x
    assert x * g == g * x == g**x and (g**x) / x == g == g ** (x * ~x) and g ** (1 / x) == g ** ~x == (g**x) ** (x ** -2)
    assert 1 * e == e and 2 * g == g * g == g**2 == g + g and g / g == group.init(G1) == group.init(G1, 1) and -g == g**-1 == 1 / g
    assert e * group.init(GT, 1) == e and x - x == 0 and x + 1 - x == 1 and 3 - x == -(x - 3) and group.init(ZR, 5) == 5 == int(group.init(ZR, 5))
    assert 0 <= int(x) < group.order() and x**2 == x * x and x / y * y == x and 2 / x == 2 * ~x
    assert group.ismember(g) and not group.ismember(PairingGroup("MNT159" if curve != "MNT159" else "SS512").random(G1))
    for element in (g, h, e, x, group.init(G1)):
        for compression in (True, False):
            data = group.serialize(element, compression)
            assert group.deserialize(data, compression) == element and len({element, group.deserialize(data)}) == 1
            with pytest.raises((bilinear.Error, ValueError)):
                group.deserialize(data[:-5] + b"A===")
    assert group.hash("a", G1) == group.hash(b"a", G1) != group.hash("b", G1) and group.hash(("a", g), ZR) != group.hash(("a", g * g), ZR)
    assert group.hash(("ab", "c")) != group.hash(("a", "bc")) and group.hash("a", G2).type == G2
    assert len(extract_key(e)) == 32 and extract_key(e) != extract_key(e * e)
    assert group.random(ZR, seed=1) == group.random(ZR, seed=1) != group.random(ZR, seed=2) and len(group.random(G1, 3)) == 3
    z = group.init(ZR, 4)
    z.set(9)
    assert z == 9 and (g < g * g) != (g > g * g) and g <= g >= g
    for wrong in (lambda: g + x, lambda: g**h, lambda: g * "2", lambda: group.init(G1, 5), lambda: PairingGroup("no such curve")):
        with pytest.raises((TypeError, ValueError, AssertionError)):
            wrong()


def test_the_example_of_the_manual_runs():
    text = (pathlib.Path(__file__).resolve().parents[4] / "docs/python.md").read_text()
    (example,) = [block.split("```")[0] for block in text.split("```python\n")[1:] if "import bilinear.charm" in block]
    names = {}
    exec(compile(example, "docs/python.md", "exec"), names)
    cpabe = names["cpabe"]
    public, master = cpabe.setup()
    message = PairingGroup("SS512").random(GT)
    sealed = cpabe.encrypt(public, message, "((four or three) and (three or one))")
    assert cpabe.decrypt(public, cpabe.keygen(public, master, ["ONE", "THREE"]), sealed) == message
    assert not cpabe.decrypt(public, cpabe.keygen(public, master, ["ONE", "TWO"]), sealed)
