"""A proxy before a real cluster: it speaks TLS, asks for credentials, and takes requests up to a size, as clusters do."""

import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from gzip import decompress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any

HOP = ("connection", "transfer-encoding", "content-length")


@contextmanager
def proxy(
    target: str, certificate: Path | None = None, credentials: tuple[str, str] | None = None, most_bytes: int = 1 << 40
) -> Iterator[int]:
    """The port of a proxy before `target` (host:port) while the block lasts."""
    wanted = credentials and "Basic " + b64encode(":".join(credentials).encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            plain = decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            if wanted and self.headers.get("Authorization") != wanted:
                self._answer(401, {"Content-Type": "text/plain"}, b"Unauthorized")
            elif len(plain) > most_bytes:
                self._answer(413, {}, b"")
            else:
                host, _, port = target.partition(":")
                connection = HTTPConnection(host, int(port), timeout=60)
                headers = {name: value for name, value in self.headers.items() if name.lower() != "authorization"}
                connection.request(self.command, self.path, body, headers)
                answer = connection.getresponse()
                kept = {name: value for name, value in answer.getheaders() if name.lower() not in HOP}
                self._answer(answer.status, kept, answer.read())
                connection.close()

        def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _forward  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass  # a client that does not trust the certificate hangs up


def authority(folder: Path, name: str) -> tuple[Path, Any, Any]:
    """A new certificate authority: the file of its certificate, the certificate, and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    made = (
        _described(name, name, key.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return file, made, key


def certificate(folder: Path, issuer: Any, issuer_key: Any, address: str) -> Path:
    """The file of a certificate for an address, with its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    issued_by = issuer.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value
    made = (
        _described(address, str(issued_by), key.public_key())
        .add_extension(names, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), critical=False)
        .sign(issuer_key, hashes.SHA256())
    )
    file = folder / f"{address}-by-{issued_by}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


def _described(subject: str, issuer: str, public_key: Any) -> Any:
    from cryptography import x509

    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, subject)]))
        .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]))
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
    )
