"""Encryption to names (Boneh, Franklin)."""

from bilinear._bilinear import ibe as _ibe

MasterKey = _ibe.MasterKey
PublicKey = _ibe.PublicKey
UserKey = _ibe.UserKey
keygen = _ibe.keygen

__all__ = ["MasterKey", "PublicKey", "UserKey", "keygen"]
