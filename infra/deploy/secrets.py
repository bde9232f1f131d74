"""The secrets, in SSM as SecureStrings under the stage's prefix. What can be made at random is; what only Safaricom gives
is asked for. Nothing here prints one, or hands one to a command line.
"""

import getpass
import hashlib
import secrets as randomness
import sys
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from .aws import Refused

# The public half of the key in force, and that of the one before behind a comma.
SIGNING, PUBLIC_HALF = "access-token-key", "access-token-public-key"
# What signs pushes, and what browsers subscribe with.
PUSH, PUSH_PUBLIC = "push-key", "push-public-key"
# The key in force, and the one before behind a comma.
HOOKS = "hook-keys"
# What the distribution sends to the API; no function reads it. While it is changed, the next one or the one before too.
EDGE, EDGE_NEXT, EDGE_BEFORE = "edge-secret", "edge-secret-next", "edge-secret-before"
# How often functions were made to begin anew. Not secret.
VERSION = "version"
# AWS's key for SSM in an account, which everybody uses who may read a parameter.
SSMS_OWN = "alias/aws/ssm"
PLAIN = ["refresh-key", "draw-key", "totp-key", "security-log-key", "unsubscribe-key"]
RANDOM = [SIGNING, PUBLIC_HALF, PUSH, PUSH_PUBLIC, HOOKS, *PLAIN, EDGE]
CERTIFICATE = "daraja-certificate"
SAFARICOMS = {
    "daraja-consumer-key": "the app's consumer key (Daraja portal, My Apps)",
    "daraja-consumer-secret": "the app's consumer secret (Daraja portal, My Apps)",
    "daraja-passkey": "the paybill's passkey for M-Pesa Express (Daraja portal)",
    CERTIFICATE: "Safaricom's certificate for this environment, in PEM (Daraja portal)",
    "b2c-initiator-password": "the password of the operator B2cInitiator (M-Pesa's portal for organisations)",
    "query-initiator-password": "the password of the operator QueryInitiator (M-Pesa's portal for organisations)",
}
NAMES = [*RANDOM, *SAFARICOMS]
BEFORE_ROTATION = {
    "draw-key": "The hash of what is made from draw-key is public while a gameweek is open: only rotate it while none is.",
    "totp-key": "Every admin's second factor is encrypted with totp-key, and is lost with it: each has to remove it first.",
    "security-log-key": "What was logged before and after cannot be joined any more.",
    PUSH: "Every browser's subscription is to the key of before: nobody gets a push until they turn it on again.",
    "unsubscribe-key": "The links that stop mails, in mails that are out, work no more.",
}
# What is left to do once it is deployed.
AFTER_ROTATION = {
    HOOKS: "In production Safaricom's people are then given the paybill's new address: make paybill-address "
    "(docs/runbook.md, \"The paybill's address\").",
}


def there(ssm: Any, prefix: str) -> set[str]:
    pages = ssm.get_paginator("get_parameters_by_path").paginate(Path=prefix, WithDecryption=False)
    return {found["Name"].removeprefix(f"{prefix}/") for page in pages for found in page["Parameters"]}


def keys(ssm: Any, prefix: str) -> dict[str, str]:
    """With which key each secret is encrypted."""
    under = [{"Key": "Path", "Option": "OneLevel", "Values": [prefix]}]
    pages = ssm.get_paginator("describe_parameters").paginate(ParameterFilters=under)
    return {
        found["Name"].removeprefix(f"{prefix}/"): found.get("KeyId", SSMS_OWN)
        for page in pages
        for found in page["Parameters"]
        if found["Type"] == "SecureString"
    }


def put(ssm: Any, prefix: str, name: str, value: str, key: str = "", *, over: bool = False) -> None:
    given = {"KeyId": key} if key else {}
    ssm.put_parameter(Name=f"{prefix}/{name}", Value=value, Type="SecureString", Overwrite=over, **given)


def get(ssm: Any, prefix: str, name: str) -> str:
    return ssm.get_parameter(Name=f"{prefix}/{name}", WithDecryption=True)["Parameter"]["Value"]


def make_missing(ssm: Any, prefix: str, key: str = "") -> list[str]:
    """Makes at random what is not there. What is there stays as it is."""
    missing = [name for name in RANDOM if name not in there(ssm, prefix)]
    if {SIGNING, PUBLIC_HALF} & set(missing):
        # One half without the other is of no use: they are made together.
        _put_signing(ssm, prefix, key)
    if {PUSH, PUSH_PUBLIC} & set(missing):
        _put_push(ssm, prefix, key)
    for name in missing:
        if name not in {SIGNING, PUBLIC_HALF, PUSH, PUSH_PUBLIC}:
            put(ssm, prefix, name, randomness.token_hex(32), key)
    return missing


def _put_signing(ssm: Any, prefix: str, key: str, before: str = "") -> None:
    """A new pair. `before`: the public half that is still believed for what it has signed."""
    pair = Ed25519PrivateKey.generate()
    public = ",".join(filter(None, [pair.public_key().public_bytes_raw().hex(), before]))
    # First what checks, then what signs: nothing is signed that nobody can check.
    put(ssm, prefix, PUBLIC_HALF, public, key, over=True)
    put(ssm, prefix, SIGNING, pair.private_bytes_raw().hex(), key, over=True)


def _put_push(ssm: Any, prefix: str, key: str) -> None:
    pair = ec.generate_private_key(ec.SECP256R1())
    private = pair.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    public = pair.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    put(ssm, prefix, PUSH_PUBLIC, public.hex(), key, over=True)
    put(ssm, prefix, PUSH, private.hex(), key, over=True)


def ask_missing(ssm: Any, prefix: str, key: str = "", say: Callable[[str], None] = print) -> list[str]:
    """Asks for what only Safaricom gives and is not there yet. What is left empty stays missing, and is answered; so is all
    where nobody is at the keyboard: a file says nothing of which secret it is."""
    left = []
    missing = [name for name in SAFARICOMS if name not in there(ssm, prefix)]
    if not sys.stdin.isatty():
        return missing
    for name in missing:
        value = ask(name)
        if value:
            put(ssm, prefix, name, value, key)
            say(f"  {name}: kept")
        else:
            left.append(name)
    return left


def ask(name: str) -> str:
    """A secret from the keyboard, unseen, or from the standard input where that is a file or a pipe."""
    if not sys.stdin.isatty():
        return checked(name, sys.stdin.read())
    if name != CERTIFICATE:
        return checked(name, getpass.getpass(f"{name}: {SAFARICOMS[name]} (unseen; empty: later): "))
    print(f"{name}: {SAFARICOMS[name]}. Paste it, with its first and last line (empty: later):")
    lines = []
    for line in sys.stdin:
        lines.append(line)
        if not line.strip() or line.startswith("-----END"):
            break
    return checked(name, "".join(lines))


def checked(name: str, value: str) -> str:
    value = value.strip()
    if value and name == CERTIFICATE:
        try:
            sealing = x509.load_pem_x509_certificate(value.encode()).public_key()
        except ValueError as error:
            raise Refused(
                f"{name}: this is no certificate in PEM (-----BEGIN CERTIFICATE----- … -----END CERTIFICATE-----)."
            ) from error
        if not isinstance(sealing, RSAPublicKey):
            raise Refused(f"{name}: the certificate holds no RSA key, and M-Pesa's does.")
    elif any(character.isspace() for character in value):
        raise Refused(f"{name}: it has a space or a line break inside. Nothing was kept.")
    return value


def edge(ssm: Any, prefix: str) -> tuple[str, str]:
    """What the distribution sends, and the hashes of what the API takes."""
    sent = get(ssm, prefix, EDGE)
    others = [get(ssm, prefix, name) for name in (EDGE_NEXT, EDGE_BEFORE) if name in there(ssm, prefix)]
    taken = dict.fromkeys([sent, *others])
    return sent, ",".join(hashlib.sha256(secret.encode()).hexdigest() for secret in taken)


def version(ssm: Any, prefix: str) -> str:
    try:
        return get(ssm, prefix, VERSION)
    except ClientError as error:
        if error.response["Error"]["Code"] == "ParameterNotFound":
            return "1"
        raise


def rotate(
    ssm: Any, prefix: str, name: str, deployed_hashes: str | None, key: str = "", *, leaked: bool = False
) -> str:
    """Puts a new secret in the place of `name`, and answers what is to be done then. The deployed functions keep theirs
    until they begin anew, which the next deployment has them do. `leaked`: somebody else may have the old one, so what was
    made with it is not believed any more."""
    if name not in NAMES:
        raise Refused(f"ROTATE={name}: there is no such secret. There are: {', '.join(NAMES)}.")
    if name not in SAFARICOMS and name not in there(ssm, prefix):
        raise Refused(f"{name} is not there yet: make secrets without ROTATE makes it.")
    if name == EDGE:
        return _rotate_edge(ssm, prefix, deployed_hashes, key)
    if name in {SIGNING, PUBLIC_HALF}:
        _put_signing(ssm, prefix, key, "" if leaked else get(ssm, prefix, PUBLIC_HALF).split(",")[0])
    elif name in {PUSH, PUSH_PUBLIC}:
        _put_push(ssm, prefix, key)
    elif name == HOOKS:
        # What M-Pesa is about to call was told to it under the key of before.
        before = [] if leaked else [get(ssm, prefix, HOOKS).split(",")[0]]
        put(ssm, prefix, HOOKS, ",".join([randomness.token_hex(32), *before]), key, over=True)
    else:
        value = ask(name) if name in SAFARICOMS else randomness.token_hex(32)
        if not value:
            raise Refused(f"{name}: nothing was given, and nothing was changed.")
        put(ssm, prefix, name, value, key, over=True)
    count = int(version(ssm, prefix)) + 1
    ssm.put_parameter(Name=f"{prefix}/{VERSION}", Value=str(count), Type="String", Overwrite=True)
    counts = "It counts once the functions have begun anew: make deploy."
    return f"{counts} {AFTER_ROTATION[name]}" if name in AFTER_ROTATION else counts


def _rotate_edge(ssm: Any, prefix: str, deployed_hashes: str | None, key: str) -> str:
    """One of three steps; between them is a deployment, so that distribution and API agree at each moment. Each may be
    done again after it was broken off."""
    # In their order, which says which one is sent: between the first step and the second nothing else differs.
    if deployed_hashes is not None and edge(ssm, prefix)[1] != deployed_hashes:
        raise Refused("What is kept is not deployed yet: make deploy first, then this again.")
    names, sent = there(ssm, prefix), get(ssm, prefix, EDGE)
    if EDGE_NEXT in names:
        following = get(ssm, prefix, EDGE_NEXT)
        if following != sent:
            put(ssm, prefix, EDGE_BEFORE, sent, key, over=True)
            put(ssm, prefix, EDGE, following, key, over=True)
        ssm.delete_parameter(Name=f"{prefix}/{EDGE_NEXT}")
        return "Step 2 of 3, the new one is sent. Now: make deploy, then this again."
    if EDGE_BEFORE in names:
        ssm.delete_parameter(Name=f"{prefix}/{EDGE_BEFORE}")
        return "Step 3 of 3, the old one is taken no more. Now: make deploy, and it is done."
    put(ssm, prefix, EDGE_NEXT, randomness.token_hex(32), key)
    return "Step 1 of 3, the new one is taken as well. Now: make deploy, then this again."
