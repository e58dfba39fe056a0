"""Tests that the type stubs match the modules: names, classes and their members, and parameters with their defaults."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import bilinear


def public(names):
    return {name for name in names if not name.startswith("_")}


def parameters(node):
    """Returns the positional parameters of a function in a stub, in order, the keyword-only ones, and those that have a default."""
    given = node.args
    positional = [argument.arg for argument in given.posonlyargs + given.args]
    defaults = positional[len(positional) - len(given.defaults) :] if given.defaults else []
    keywords = [argument.arg for argument in given.kwonlyargs]
    defaults += [name for name, value in zip(keywords, given.kw_defaults) if value is not None]
    return positional, keywords, set(defaults)


def taken(function):
    """Returns the same lists as `parameters` for a function object."""
    of = inspect.signature(function).parameters.values()
    keywords = [parameter.name for parameter in of if parameter.kind is parameter.KEYWORD_ONLY]
    defaults = {parameter.name for parameter in of if parameter.default is not parameter.empty}
    return [parameter.name for parameter in of if parameter.name not in keywords], keywords, defaults


def same(name, node, function):
    decorators = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
    if "property" in decorators or "overload" in decorators:
        return
    (positional, keywords, defaults), found = parameters(node), taken(function)
    if decorators & {"staticmethod", "classmethod"} and "classmethod" in decorators:
        positional = positional[1:]
    assert (positional, keywords, defaults) == found, name


def stub_of(module):
    return Path(bilinear.__file__).parent / (f"{module[1:]}.pyi" if module else "__init__.pyi")


@pytest.mark.parametrize("module", ["", ".bgn", ".predicate"])
def test_parameters_that_are_integers_take_whatever_converts_to_one(module):
    functions = [node.args for node in ast.walk(ast.parse(stub_of(module).read_text())) if isinstance(node, ast.FunctionDef)]
    types = [ast.unparse(a.annotation) for f in functions for a in f.args + f.kwonlyargs if a.annotation]
    assert any("SupportsIndex" in kind for kind in types) and not any("int" in kind.split(" | ") for kind in types)


@pytest.mark.parametrize("module", ["", ".bgn", ".ibe", ".predicate"])
def test_stubs_declare_what_there_is(module):
    there = importlib.import_module("bilinear" + module)
    nodes = ast.parse(stub_of(module).read_text()).body
    declared = {node.name: node for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    assert public(there.__all__) <= set(declared) | {node.target.id for node in nodes if isinstance(node, ast.AnnAssign)}
    seen = 0
    for name, node in declared.items():
        if name.startswith("_") or name not in there.__all__:
            continue
        value = getattr(there, name)
        if isinstance(node, ast.FunctionDef):
            same(name, node, value)
            continue
        # an error object has its attributes itself, its class does not
        if issubclass(value, Exception):
            continue
        members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
        named = set(members) | {member.target.id for member in node.body if isinstance(member, ast.AnnAssign)}
        assert public(vars(value)) == public(named), name
        for member, function in members.items():
            if not member.startswith("_"):
                same(f"{name}.{member}", function, getattr(value, member))
                seen += 1
    assert seen > 5
