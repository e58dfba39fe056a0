"""Encrypted numbers that can be added, and multiplied once (Boneh, Goh, Nissim)."""

from bilinear._bilinear import bgn as _bgn

Ciphertext = _bgn.Ciphertext
Product = _bgn.Product
PublicKey = _bgn.PublicKey
SecretKey = _bgn.SecretKey
Table = _bgn.Table
keygen = _bgn.keygen

__all__ = ["Ciphertext", "Product", "PublicKey", "SecretKey", "Table", "keygen"]
