"""Five clients from PyPI, each with its own ways: how it is led to the simulated M-Pesa, and its calls.

A call that a client does not have is not there. What cannot be configured is set in the client's module: its code stays
as it was published."""

import base64
import contextlib
import io
import tempfile
from pathlib import Path

from .simulated import Simulated

AMOUNT = 70


class Client:
    """What every client is tried with. `phone` is its own: a phone has one open prompt at most."""

    name: str

    def __init__(self, shop: Simulated, phone: str, secret: str | None = None):
        self.shop, self.phone = shop, phone
        self.secret = shop.consumer_secret if secret is None else secret

    def path(self, what: str) -> str:
        """Its own, without the words that Daraja refuses in an address."""
        return f"/{self.phone}/{what}"

    def url(self, what: str) -> str:
        return f"{self.shop.heard.origin}{self.path(what)}"

    def credential(self, password: str) -> str:
        return base64.b64encode(self.shop.sealed(password)).decode()


class DarajaV3(Client):
    """Its `base_url` is a setting."""

    name = "daraja-v3"

    def _client(self, shortcode: str | None = None):
        from mpesa import MpesaClient

        shop = self.shop
        return MpesaClient(shop.consumer_key, self.secret, shortcode or shop.shortcode, shop.passkey, base_url=shop.daraja)

    def token(self) -> str:
        return self._client()._auth.token()

    def push(self) -> str:
        return self._client().stk_push(self.phone, AMOUNT, "PEERS", callback_url=self.url("push")).checkout_request_id

    def query(self, checkout_id: str) -> str:
        return self._client().stk_query(checkout_id).result_code

    def callback(self, body: dict) -> tuple:
        read = self._client().parse_stk_callback(body)
        return read["mpesa_receipt"], read["amount"]

    def b2c(self) -> None:
        shop = self.shop
        client = self._client(shop.b2c_shortcode)
        client.b2c(self.phone, AMOUNT, "Prize", "", self.url("b2c"), self.url("late"), shop.payer, self.credential(shop.payer_password))

    def register(self) -> None:
        self._client().c2b_register_urls(self.url("validation"), self.url("confirmation"))


class DarajaSdkPy(Client):
    """Its hosts are constants: `daraja.environment.SANDBOX_BASE_URL` is set."""

    name = "daraja-sdk-py"

    def _client(self, initiator: str = "", password: str = ""):
        import daraja
        import daraja.environment

        shop = self.shop
        daraja.environment.SANDBOX_BASE_URL = shop.daraja
        config = {
            "consumer_key": shop.consumer_key,
            "consumer_secret": self.secret,
            "passkey": shop.passkey,
            "initiator_name": initiator,
            "security_credential": self.credential(password) if password else None,
            "max_retries": 0,
        }
        return daraja.Mpesa(config)

    def token(self) -> str:
        return self._client().get_access_token()

    def push(self) -> str:
        shortcode, phone = int(self.shop.shortcode), int(self.phone)
        asked = {
            "BusinessShortCode": shortcode,
            "TransactionType": "CustomerPayBillOnline",
            "Amount": AMOUNT,
            "PartyA": phone,
            "PartyB": shortcode,
            "PhoneNumber": phone,
            "CallBackURL": self.url("push"),
            "AccountReference": "PEERS",
            "TransactionDesc": "Stake",
        }
        return self._client().stk_push(asked).CheckoutRequestID

    def query(self, checkout_id: str) -> str:
        return self._client().stk_query({"BusinessShortCode": self.shop.shortcode, "CheckoutRequestID": checkout_id}).ResultCode

    def callback(self, body: dict) -> tuple:
        from daraja.models import STKCallbackPayload

        items = STKCallbackPayload(**body).Body.stkCallback.CallbackMetadata.Item
        read = {item.Name: item.Value for item in items}
        return read["MpesaReceiptNumber"], read["Amount"]

    def b2c(self) -> None:
        shop = self.shop
        asked = {
            "OriginatorConversationID": "peers-daraja-sdk-py",
            "CommandID": "BusinessPayment",
            "Amount": AMOUNT,
            "PartyA": int(shop.b2c_shortcode),
            "PartyB": int(self.phone),
            "Remarks": "Prize",
            "QueueTimeOutURL": self.url("late"),
            "ResultURL": self.url("b2c"),
        }
        self._client(shop.payer, shop.payer_password).b2c(asked)

    def result(self, body: dict) -> int:
        from daraja.models import MpesaResult

        return MpesaResult(**body).Result.ResultCode

    def status(self, receipt: str) -> None:
        shop = self.shop
        asked = {
            "CommandID": "TransactionStatusQuery",
            "TransactionID": receipt,
            "PartyA": int(shop.shortcode),
            "ResultURL": self.url("status"),
            "QueueTimeOutURL": self.url("late"),
            "Remarks": "Which one?",
        }
        self._client(shop.asker, shop.asker_password).transaction_status(asked)

    def register(self) -> None:
        asked = {
            "ShortCode": self.shop.shortcode,
            "ResponseType": "Completed",
            "ConfirmationURL": self.url("confirmation"),
            "ValidationURL": self.url("validation"),
        }
        self._client().c2b_register_url(asked)

    def reversal(self, receipt: str) -> None:
        shop = self.shop
        asked = {
            "CommandID": "TransactionReversal",
            "TransactionID": receipt,
            "Amount": AMOUNT,
            "ReceiverParty": int(shop.shortcode),
            "QueueTimeOutURL": self.url("late"),
            "ResultURL": self.url("reversal"),
            "Remarks": "Wrong paybill",
        }
        self._client(shop.asker, shop.asker_password).reversal(asked)


class DarajaSdk(Client):
    """Its addresses are constants of two modules, which are set."""

    name = "daraja-sdk"

    def _client(self):
        from daraja_sdk import MpesaClient, auth, stk

        shop = self.shop
        auth.SANDBOX_AUTH_URL = f"{shop.daraja}/oauth/v1/generate?grant_type=client_credentials"
        stk.SANDBOX_STK_URL = f"{shop.daraja}/mpesa/stkpush/v1/processrequest"
        stk.SANDBOX_QUERY_URL = f"{shop.daraja}/mpesa/stkpushquery/v1/query"
        return MpesaClient(shop.consumer_key, self.secret, shop.shortcode, shop.passkey, self.url("push"))

    def token(self) -> str:
        with self._client() as client:
            return client._auth.get_token_sync(client._sclient)

    def push(self) -> str:
        with self._client() as client:
            return client.stk_push_sync(self.phone, AMOUNT, "PEERS", "Stake")["CheckoutRequestID"]

    def query(self, checkout_id: str) -> str:
        with self._client() as client:
            return client.query_stk_sync(checkout_id)["ResultCode"]


class DarajaClient(Client):
    """It is told each address in full."""

    name = "daraja-client"

    def token(self) -> str:
        from daraja_client.utils import generate_access_token

        return generate_access_token(self.shop.consumer_key, self.secret, self._sign_in())

    def _sign_in(self) -> str:
        return f"{self.shop.daraja}/oauth/v1/generate?grant_type=client_credentials"

    def push(self) -> str:
        from daraja_client.core import DarajaClient as Theirs

        shop = self.shop
        client = Theirs(self._sign_in(), shop.consumer_key, self.secret, shop.passkey, shop.shortcode, self.phone, self.url("push"), str(AMOUNT))
        answer = client.send_stk_push(f"{shop.daraja}/mpesa/stkpush/v1/processrequest")
        if answer["message"] != "success":
            raise RuntimeError(answer["error"])
        return answer["stkpushID"]


class DjangoDaraja(Client):
    """Its hosts are inside a function, `api_base_url`, which is replaced; its settings and its table are Django's."""

    name = "django-daraja"
    _ready = False

    def _client(self):
        import django
        from django.conf import settings

        shop = self.shop
        if not DjangoDaraja._ready:
            folder = tempfile.mkdtemp()
            (Path(folder) / "certs").mkdir()
            (Path(folder) / "certs" / "sandbox.cer").write_text(shop.certificate)
            settings.configure(
                BASE_DIR=folder,
                DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
                DEFAULT_AUTO_FIELD="django.db.models.AutoField",
                INSTALLED_APPS=["django_daraja"],
                USE_TZ=True,
                MPESA_ENVIRONMENT="sandbox",
                MPESA_CONSUMER_KEY=shop.consumer_key,
                MPESA_EXPRESS_SHORTCODE=shop.shortcode,
                MPESA_SHORTCODE=shop.b2c_shortcode,
                MPESA_PASSKEY=shop.passkey,
                MPESA_INITIATOR_USERNAME=shop.payer,
                MPESA_INITIATOR_SECURITY_CREDENTIAL=shop.payer_password,
            )
            django.setup()
            from django.core.management import call_command

            call_command("migrate", verbosity=0)
            DjangoDaraja._ready = True
        from django_daraja.models import AccessToken
        from django_daraja.mpesa import core, utils

        settings.MPESA_CONSUMER_SECRET = self.secret
        AccessToken.objects.all().delete()
        for module in (core, utils):
            module.api_base_url = lambda: f"{shop.daraja}/"
        return core.MpesaClient()

    def token(self) -> str:
        return self._client().access_token()

    def push(self) -> str:
        answer = self._client().stk_push(self.phone, AMOUNT, "PEERS", "Stake", self.url("push"))
        return _taken(answer).checkout_request_id

    def callback(self, body: dict) -> tuple:
        import json

        read = self._client().parse_stk_result(json.dumps(body))
        return read["MpesaReceiptNumber"], read["Amount"]

    def b2c(self) -> None:
        _taken(self._client().business_payment(self.phone, AMOUNT, "Prize", self.url("b2c"), "Gameweek"))


def _taken(answer):
    if answer.response_code != "0":
        raise RuntimeError(f"{answer.error_code} {answer.error_message}")
    return answer


ALL = [DarajaV3, DarajaSdkPy, DarajaSdk, DarajaClient, DjangoDaraja]


@contextlib.contextmanager
def quiet():
    """Some of them print."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
