"""Identity-based encryption (Boneh, Franklin)."""

from bilinear._bilinear import ibe as _ibe

MasterKey = _ibe.MasterKey
PublicKey = _ibe.PublicKey
PrivateKey = _ibe.PrivateKey
keygen = _ibe.keygen

__all__ = ["MasterKey", "PublicKey", "PrivateKey", "keygen"]
