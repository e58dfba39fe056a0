"""Predicate encryption: tables that a server can search and cannot read. Files and rows are those of `bilinear search`."""

from bilinear._bilinear import predicate as _predicate

PublicKey = _predicate.PublicKey
Schema = _predicate.Schema
SecretKey = _predicate.SecretKey
Token = _predicate.Token
Tokens = _predicate.Tokens
keygen = _predicate.keygen

__all__ = ["PublicKey", "Schema", "SecretKey", "Token", "Tokens", "keygen"]
