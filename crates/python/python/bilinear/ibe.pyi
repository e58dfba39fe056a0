"""Identity-based encryption (Boneh, Franklin)."""

from os import PathLike

from bilinear import Curve, Messages, Outcomes, Progress
from bilinear.predicate import ArrowStream, Rows

class PublicKey:
    """The public key of a system, which encrypts to identities."""

    @staticmethod
    def from_bytes(curve: Curve, data: bytes) -> PublicKey: ...
    def to_bytes(self) -> bytes: ...
    @property
    def id(self) -> str: ...
    def encrypt(
        self, identities: Messages | ArrowStream, messages: Messages | ArrowStream, *, progress: Progress = None
    ) -> Outcomes[bytes]: ...

class MasterKey:
    """The master key of a system, which extracts the private keys of identities. It is never printed, pickled or converted to bytes."""

    @staticmethod
    def load(curve: Curve, path: str | PathLike[str]) -> MasterKey: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def extract(self, identity: bytes | str) -> PrivateKey: ...

class PrivateKey:
    """The private key of an identity, which decrypts messages to that identity. It is never printed, pickled or converted to bytes."""

    @staticmethod
    def load(curve: Curve, path: str | PathLike[str]) -> PrivateKey: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def decrypt(self, rows: Rows, *, progress: Progress = None) -> Outcomes[bytes | None]: ...

def keygen(curve: Curve) -> tuple[PublicKey, MasterKey]:
    """Makes the keys of a system."""
