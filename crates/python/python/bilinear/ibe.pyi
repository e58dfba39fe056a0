"""Encryption to names (Boneh, Franklin)."""

from os import PathLike

from bilinear import Curve, Messages, Outcomes, Progress
from bilinear.predicate import ArrowStream, Rows

class PublicKey:
    """The public key of a system, which encrypts to names."""

    @staticmethod
    def from_bytes(curve: Curve, data: bytes) -> PublicKey: ...
    def to_bytes(self) -> bytes: ...
    @property
    def id(self) -> str: ...
    def encrypt(
        self, names: Messages | ArrowStream, messages: Messages | ArrowStream, *, progress: Progress = None
    ) -> Outcomes[bytes]: ...

class MasterKey:
    """The master key of a system, which derives the keys of names. It is never printed, pickled or converted to bytes."""

    @staticmethod
    def load(curve: Curve, path: str | PathLike[str]) -> MasterKey: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def extract(self, name: bytes | str) -> UserKey: ...

class UserKey:
    """The key of a name, which decrypts messages to that name. It is never printed, pickled or converted to bytes."""

    @staticmethod
    def load(curve: Curve, path: str | PathLike[str]) -> UserKey: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def decrypt(self, rows: Rows, *, progress: Progress = None) -> Outcomes[bytes | None]: ...

def keygen(curve: Curve) -> tuple[PublicKey, MasterKey]:
    """Makes the keys of a system."""
