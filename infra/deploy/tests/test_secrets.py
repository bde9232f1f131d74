import io
import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from deploy import secrets
from deploy.aws import Refused
from deploy.stage import ROOT

PREFIX = "/fpl-leagues-test"


@pytest.fixture
def ssm(client):
    return client("ssm")


def certificate(key):
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "M-Pesa")])
    now = datetime(2026, 11, 22, tzinfo=UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=9)
    )
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def typed(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_the_names_are_those_that_the_functions_read():
    source = (ROOT / "shared/app/src/platform/secrets.rs").read_text()
    read = set(re.findall(r'pub const \w+: &str = "([a-z0-9-]+)";', source))
    assert set(secrets.NAMES) - {secrets.EDGE} == read


def test_what_is_made_at_random_is_made_once_and_never_shown(ssm, capsys):
    assert set(secrets.make_missing(ssm, PREFIX)) == set(secrets.RANDOM)
    values = {name: secrets.get(ssm, PREFIX, name) for name in secrets.RANDOM}
    pair = {secrets.PUSH, secrets.PUSH_PUBLIC}
    assert all(re.fullmatch("[0-9a-f]{64}", value) for name, value in values.items() if name not in pair)
    assert len(set(values.values())) == len(values)
    assert secrets.make_missing(ssm, PREFIX) == []
    assert values == {name: secrets.get(ssm, PREFIX, name) for name in secrets.RANDOM}
    shown = capsys.readouterr()
    assert not any(value in shown.out + shown.err for value in values.values())


def test_every_secret_is_kept_encrypted(ssm):
    secrets.make_missing(ssm, PREFIX)
    found = ssm.get_parameters_by_path(Path=PREFIX)["Parameters"]
    assert {parameter["Type"] for parameter in found} == {"SecureString"}


def test_the_public_half_is_that_of_the_key(ssm):
    secrets.make_missing(ssm, PREFIX)
    for _ in range(2):
        seed = bytes.fromhex(secrets.get(ssm, PREFIX, secrets.SIGNING))
        public = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()
        assert secrets.get(ssm, PREFIX, secrets.PUBLIC_HALF).split(",")[0] == public
        secrets.rotate(ssm, PREFIX, secrets.SIGNING, None)


def test_browsers_subscribe_with_the_public_half_of_what_signs_pushes(ssm):
    secrets.make_missing(ssm, PREFIX)
    for _ in range(2):
        private = bytes.fromhex(secrets.get(ssm, PREFIX, secrets.PUSH))
        public = serialization.load_der_private_key(private, None).public_key()
        point = public.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        assert secrets.get(ssm, PREFIX, secrets.PUSH_PUBLIC) == point.hex()
        secrets.rotate(ssm, PREFIX, secrets.PUSH, None)


@pytest.mark.parametrize("name", [secrets.PUBLIC_HALF, secrets.HOOKS])
def test_what_leaked_is_not_believed_any_more(ssm, name):
    secrets.make_missing(ssm, PREFIX)
    old = secrets.get(ssm, PREFIX, name)
    secrets.rotate(ssm, PREFIX, name, None)
    new, before = secrets.get(ssm, PREFIX, name).split(",")
    assert before == old
    secrets.rotate(ssm, PREFIX, name, None, leaked=True)
    alone = secrets.get(ssm, PREFIX, name)
    assert "," not in alone and alone not in {old, new}


def test_callbacks_that_are_under_way_are_known_by_the_key_of_before(ssm):
    secrets.make_missing(ssm, PREFIX)
    first = secrets.get(ssm, PREFIX, secrets.HOOKS)
    assert "make paybill-address" in secrets.rotate(ssm, PREFIX, secrets.HOOKS, None)
    second, before = secrets.get(ssm, PREFIX, secrets.HOOKS).split(",")
    assert before == first != second
    secrets.rotate(ssm, PREFIX, secrets.HOOKS, None)
    assert secrets.get(ssm, PREFIX, secrets.HOOKS).split(",")[1] == second


def test_each_rotation_has_the_functions_begin_anew(ssm):
    secrets.make_missing(ssm, PREFIX)
    assert secrets.version(ssm, PREFIX) == "1"
    for name, count in (("refresh-key", "2"), (secrets.HOOKS, "3")):
        before = secrets.get(ssm, PREFIX, name)
        secrets.rotate(ssm, PREFIX, name, None)
        assert secrets.get(ssm, PREFIX, name) != before
        assert secrets.version(ssm, PREFIX) == count


def test_the_edges_secret_is_changed_without_a_moment_in_which_it_is_not_known(ssm):
    secrets.make_missing(ssm, PREFIX)
    seen = [secrets.edge(ssm, PREFIX)]
    for _ in range(3):
        secrets.rotate(ssm, PREFIX, secrets.EDGE, seen[-1][1])
        seen.append(secrets.edge(ssm, PREFIX))
    hashes_ = [taken.split(",") for _, taken in seen]
    assert [len(taken) for taken in hashes_] == [1, 2, 2, 1]
    for before, after in zip(seen, seen[1:], strict=False):
        # Distribution and functions change at different moments of a deployment.
        for sent in (before[0], after[0]):
            for taken in (before[1], after[1]):
                assert secrets.hashlib.sha256(sent.encode()).hexdigest() in taken
    assert seen[0][0] != seen[-1][0]


def test_the_edges_next_step_waits_for_the_last_ones_deployment(ssm):
    secrets.make_missing(ssm, PREFIX)
    for _ in range(3):
        deployed = secrets.edge(ssm, PREFIX)[1]
        secrets.rotate(ssm, PREFIX, secrets.EDGE, deployed)
        with pytest.raises(Refused, match="not deployed yet"):
            secrets.rotate(ssm, PREFIX, secrets.EDGE, deployed)


def test_an_edges_step_that_was_broken_off_is_done_again(ssm):
    secrets.make_missing(ssm, PREFIX)
    secrets.rotate(ssm, PREFIX, secrets.EDGE, None)
    old, new = secrets.get(ssm, PREFIX, secrets.EDGE), secrets.get(ssm, PREFIX, secrets.EDGE_NEXT)
    # It died before the next one was taken away.
    secrets.put(ssm, PREFIX, secrets.EDGE_BEFORE, old)
    secrets.put(ssm, PREFIX, secrets.EDGE, new, over=True)
    secrets.rotate(ssm, PREFIX, secrets.EDGE, None)
    assert secrets.edge(ssm, PREFIX)[0] == new
    assert secrets.get(ssm, PREFIX, secrets.EDGE_BEFORE) == old
    assert secrets.EDGE_NEXT not in secrets.there(ssm, PREFIX)


def test_what_safaricom_gives_is_read_from_a_pipe_and_never_shown(ssm, monkeypatch, capsys):
    secrets.put(ssm, PREFIX, "daraja-passkey", "before")
    typed(monkeypatch, "bfb279f9\n")
    secrets.rotate(ssm, PREFIX, "daraja-passkey", None)
    assert secrets.get(ssm, PREFIX, "daraja-passkey") == "bfb279f9"
    assert "bfb279f9" not in capsys.readouterr().out


def test_a_file_is_taken_for_the_secret_that_is_named_and_no_other(ssm, monkeypatch):
    typed(monkeypatch, "bfb279f9")
    assert secrets.ask_missing(ssm, PREFIX) == list(secrets.SAFARICOMS)
    assert secrets.there(ssm, PREFIX) == set()
    secrets.rotate(ssm, PREFIX, "daraja-passkey", None)
    assert secrets.get(ssm, PREFIX, "daraja-passkey") == "bfb279f9"
    assert secrets.ask_missing(ssm, PREFIX) == [name for name in secrets.SAFARICOMS if name != "daraja-passkey"]


def test_what_is_typed_is_kept_and_what_is_left_empty_is_asked_for_again(ssm, monkeypatch, capsys):
    answers = {"daraja-consumer-key": "key-1", "daraja-passkey": "passkey-1"}
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("getpass.getpass", lambda prompt: answers.get(prompt.partition(":")[0], ""))
    secrets.put(ssm, PREFIX, secrets.CERTIFICATE, "given")
    left = secrets.ask_missing(ssm, PREFIX)
    assert left == ["daraja-consumer-secret", "b2c-initiator-password", "query-initiator-password"]
    assert secrets.get(ssm, PREFIX, "daraja-passkey") == "passkey-1"
    assert "passkey-1" not in capsys.readouterr().out


def test_an_empty_answer_changes_nothing(ssm, monkeypatch):
    secrets.put(ssm, PREFIX, "daraja-passkey", "before")
    typed(monkeypatch, "\n")
    with pytest.raises(Refused, match="nothing was changed"):
        secrets.rotate(ssm, PREFIX, "daraja-passkey", None)
    assert secrets.get(ssm, PREFIX, "daraja-passkey") == "before"


@pytest.mark.parametrize("name", ["daraja-passkye", "edge"])
def test_a_secret_that_is_not_known_is_refused(ssm, name):
    with pytest.raises(Refused, match="there is no such secret"):
        secrets.rotate(ssm, PREFIX, name, None)


def test_a_certificate_has_to_be_one_that_seals():
    sound = certificate(rsa.generate_private_key(65537, 2048))
    assert secrets.checked(secrets.CERTIFICATE, sound) == sound.strip()
    with pytest.raises(Refused, match="no certificate"):
        secrets.checked(secrets.CERTIFICATE, "MIIC")
    with pytest.raises(Refused, match="no RSA key"):
        secrets.checked(secrets.CERTIFICATE, certificate(ec.generate_private_key(ec.SECP256R1())))


def test_a_value_that_was_pasted_with_something_else_is_refused():
    with pytest.raises(Refused, match="Nothing was kept"):
        secrets.checked("daraja-passkey", "key: bfb279f9")
