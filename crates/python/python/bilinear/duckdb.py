"""Encrypted tables in DuckDB: SELECT id FROM t WHERE matches(ciphertext, 'lyon')."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

import pyarrow
import pyarrow.compute

from bilinear import Error, Outcomes
from bilinear.predicate import Token, Tokens

__all__ = ["register"]

# the first words of the text of a token; no name begins with them
_TEXT = "bilinear search token "
# the number of tokens given as texts, and of lists of tokens, that are kept prepared
_KEPT = 16


class _Tokens:
    """The tokens of a connection, looked up by their names or by their texts."""

    def __init__(self, named: Mapping[str, Token], engine: str | None, threads: int | None) -> None:
        self._named, self._engine, self._threads = dict(named), engine, threads
        self._read: OrderedDict[str, Token] = OrderedDict()
        self._lists: OrderedDict[tuple[str, ...], Tokens] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, text: str) -> Token:
        if text in self._named:
            return self._named[text]
        if not text.startswith(_TEXT):
            known = ", ".join(sorted(self._named)) or "none"
            raise ValueError(f"no token is called {text[:40]!r}: expected a known name ({known}) or the text of a token file")
        with self._lock:
            return _kept(self._read, text, lambda: Token.from_bytes(text, engine=self._engine, threads=self._threads))

    def all(self, texts: tuple[str, ...]) -> Tokens:
        tokens = [self.get(text) for text in texts]
        with self._lock:
            return _kept(self._lists, texts, lambda: Tokens(tokens))


def _kept(known: OrderedDict[Any, Any], key: Any, make: Callable[[], Any]) -> Any:
    """Returns the cached object of a key, or makes it; evicts the objects that were used least recently."""
    if key not in known:
        known[key] = make()
    known.move_to_end(key)
    while len(known) > _KEPT:
        known.popitem(last=False)
    return known[key]


def _answers(outcomes: Outcomes[Any], strict: bool) -> pyarrow.Array:
    """Returns the answers for rows; null where a row is null. A bad row ends the query if `strict`, and is null otherwise."""
    if strict:
        for error in outcomes.errors:
            if error.code != "null":
                # the number of the row in the vector says nothing about the table
                raise Error(str(error).removeprefix(f"row {error.row}: "))
    return pyarrow.array(outcomes)


def _function(tokens: _Tokens, kind: pyarrow.DataType, ask: Callable[[Token, Any], Outcomes[Any]], strict: bool) -> Callable[..., Any]:
    """Makes a function of a vector of rows and a vector of tokens. Usually, all tokens of the vector are the same."""

    def answer(rows: pyarrow.ChunkedArray, names: pyarrow.ChunkedArray) -> Any:
        distinct = names.unique().to_pylist()
        if len(distinct) == 1 and distinct[0] is not None:
            return _answers(ask(tokens.get(distinct[0]), rows), strict)
        parts, places = [], []
        for name in distinct:
            same = pyarrow.compute.is_null(names) if name is None else pyarrow.compute.equal(names, name)
            place = pyarrow.compute.indices_nonzero(same)
            if name is None:
                parts.append(pyarrow.nulls(len(place), kind))
            else:
                parts.append(_answers(ask(tokens.get(name), rows.take(place)), strict))
            places.append(place)
        if not parts:
            return pyarrow.nulls(0, kind)
        back = pyarrow.compute.sort_indices(pyarrow.concat_arrays(places))
        return pyarrow.concat_arrays(parts).take(back)

    return answer


def _places(lists: list[tuple[str | None, ...] | None]) -> dict[tuple[str | None, ...] | None, list[int]]:
    """Groups the rows by the tokens that they ask for."""
    places: dict[tuple[str | None, ...] | None, list[int]] = {}
    for row, texts in enumerate(lists):
        places.setdefault(texts, []).append(row)
    return places


def _function_of_lists(tokens: _Tokens, kind: pyarrow.DataType, ask: Callable[[Tokens, Any], list[Outcomes[Any]]], strict: bool) -> Callable[..., Any]:
    """Makes a function of a vector of rows and a vector of lists of tokens, which returns a list of answers for each row."""

    def answers(rows: pyarrow.ChunkedArray, texts: tuple[str, ...]) -> list[list[Any]]:
        asked = ask(tokens.all(texts), rows) if texts else []
        each = [_answers(outcomes, strict).to_pylist() for outcomes in asked]
        return [list(row) for row in zip(*each)] if each else [[] for _ in range(len(rows))]

    def answer(rows: pyarrow.ChunkedArray, lists: pyarrow.ChunkedArray) -> Any:
        places = _places([None if texts is None else tuple(texts) for texts in lists.to_pylist()])
        found: list[list[Any] | None] = [None] * len(rows)
        for texts, place in places.items():
            if texts is None:
                continue
            # a token that is NULL has no answers; the other tokens search the rows in one pass
            named = tuple(text for text in texts if text is not None)
            part = rows if len(place) == len(rows) else rows.take(pyarrow.array(place))
            for row, of_row in zip(place, answers(part, named)):
                given = iter(of_row)
                found[row] = [None if text is None else next(given) for text in texts]
        return pyarrow.array(found, pyarrow.list_(kind))

    return answer


def register(connection: Any, tokens: Mapping[str, Token] | None = None, *, engine: str | None = None, threads: int | None = None) -> None:
    """Adds functions to a connection of DuckDB.

    matches(row, token) says whether the predicate of the token holds for an encrypted row, a BLOB. opened(row, token)
    returns the message of the row, or NULL if the predicate does not hold. A token is a name in `tokens`, or the text
    of a token file, which is read for `engine` and `threads`. matches_each(row, tokens) and opened_each(row, tokens)
    take a list of tokens of one key and return a list of answers: all tokens of the list search the rows in one pass.
    A row or token that is NULL gives NULL. A row that is damaged, or encrypted with another key, is an error that
    ends the query; for such a row, try_matches, try_opened, try_matches_each and try_opened_each return NULL instead.
    """
    known = _Tokens(tokens or {}, engine, threads)
    asked = {
        "matches": (Token.matches, Tokens.matches, pyarrow.bool_(), "BOOLEAN"),
        "opened": (Token.open, Tokens.open, pyarrow.large_binary(), "BLOB"),
    }
    for name, (ask, ask_all, kind, returned) in asked.items():
        for prefix, strict in (("", True), ("try_", False)):
            functions = [
                (name, _function(known, kind, ask, strict), "VARCHAR", returned),
                (f"{name}_each", _function_of_lists(known, kind, ask_all, strict), "VARCHAR[]", f"{returned}[]"),
            ]
            for called, function, tokens_are, answers_are in functions:
                connection.create_function(
                    prefix + called,
                    function,
                    ["BLOB", tokens_are],
                    answers_are,
                    type="arrow",
                    null_handling="special",
                )
