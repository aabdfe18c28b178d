"""Certificates: the PEM files of the public address, read and tried before anything is played.

Owns what may be wrong with them, in words. Must not know addresses or servers.
"""

import ssl
from pathlib import Path

from arena.errors import ConfigError


def read_pair(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    """Read a certificate (or a chain of them, its own first) and its private key.

    Returns:
        The bytes of the key and of the certificate.

    Raises:
        ConfigError: A file cannot be read, is not what it should be, or they do not belong
            together.
    """
    pair = (_read("--tls-key", key), _read("--tls-cert", certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_verify_locations(certificate)
    except ssl.SSLError as error:
        raise ConfigError(f"--tls-cert {certificate}: holds no certificate in PEM") from error
    asked: list[str] = []

    def no_passphrase() -> str:
        asked.append("passphrase")
        return ""

    try:
        context.load_cert_chain(certificate, key, no_passphrase)
    except ssl.SSLError as error:
        if asked:
            wrong = "is encrypted; give one without a passphrase, readable by nobody else"
        elif error.reason == "KEY_VALUES_MISMATCH":
            wrong = f"is not the key of the certificate in {certificate}"
        else:
            wrong = "holds no private key in PEM"
        raise ConfigError(f"--tls-key {key}: {wrong}") from error
    return pair


def _read(option: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"{option} {file}: cannot be read: {error.strerror}") from error
