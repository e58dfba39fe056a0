"""Encrypted numbers that can be added, and multiplied once (Boneh, Goh, Nissim)."""

from bilinear._bilinear import bgn as _bgn

Ciphertext = _bgn.Ciphertext
Product = _bgn.Product
PublicKey = _bgn.PublicKey
SecretKey = _bgn.SecretKey
DlogTable = _bgn.DlogTable
keygen = _bgn.keygen

__all__ = ["Ciphertext", "Product", "PublicKey", "SecretKey", "DlogTable", "keygen"]
