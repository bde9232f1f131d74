"""mpesa-api from npm: each call is a process of its own, `mpesa-api.mjs`, which says how it is led to the simulated M-Pesa."""

import json
import subprocess
import tempfile
from pathlib import Path

from .python_clients import AMOUNT, Client

SCRIPT = Path(__file__).resolve().parents[1] / "mpesa-api.mjs"


class MpesaApi(Client):
    name = "mpesa-api"

    def _call(self, method: str, initiator_password: str = "none", **asked: object):
        shop = self.shop
        with tempfile.NamedTemporaryFile("w", suffix=".cer") as certificate:
            certificate.write(shop.certificate)
            certificate.flush()
            told = {
                "daraja": shop.daraja,
                "credentials": {
                    "clientKey": shop.consumer_key,
                    "clientSecret": self.secret,
                    "initiatorPassword": initiator_password,
                    "certificatePath": certificate.name,
                },
                "method": method,
                "asked": asked,
            }
            done = subprocess.run(["node", SCRIPT], input=json.dumps(told), capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip()[:300])
        return json.loads(done.stdout)

    def token(self) -> str:
        return self._call("authenticate")

    def push(self) -> str:
        shop = self.shop
        return self._call(
            "lipaNaMpesaOnline",
            BusinessShortCode=shop.shortcode,
            passKey=shop.passkey,
            TransactionType="CustomerPayBillOnline",
            TransactionDesc="Stake",
            Amount=AMOUNT,
            PartyA=self.phone,
            PartyB=shop.shortcode,
            PhoneNumber=self.phone,
            CallBackURL=self.url("push"),
            AccountReference="PEERS",
        )["CheckoutRequestID"]

    def query(self, checkout_id: str) -> str:
        shop = self.shop
        return self._call("lipaNaMpesaQuery", BusinessShortCode=shop.shortcode, passKey=shop.passkey, CheckoutRequestID=checkout_id)["ResultCode"]

    def b2c(self) -> None:
        shop = self.shop
        self._call(
            "b2c",
            shop.payer_password,
            Initiator=shop.payer,
            CommandID="BusinessPayment",
            Amount=AMOUNT,
            PartyA=shop.b2c_shortcode,
            PartyB=self.phone,
            Remarks="Prize",
            QueueTimeOutURL=self.url("late"),
            ResultURL=self.url("b2c"),
        )

    def status(self, receipt: str) -> None:
        shop = self.shop
        self._call(
            "transactionStatus",
            shop.asker_password,
            Initiator=shop.asker,
            TransactionID=receipt,
            PartyA=shop.shortcode,
            IdentifierType=4,
            ResultURL=self.url("status"),
            QueueTimeOutURL=self.url("late"),
        )

    def register(self) -> None:
        self._call(
            "c2bRegister",
            ShortCode=self.shop.shortcode,
            ResponseType="Completed",
            ConfirmationURL=self.url("confirmation"),
            ValidationURL=self.url("validation"),
        )

    def reversal(self, receipt: str) -> None:
        shop = self.shop
        self._call(
            "reversal",
            shop.asker_password,
            Initiator=shop.asker,
            TransactionID=receipt,
            Amount=AMOUNT,
            ReceiverParty=shop.shortcode,
            RecieverIdentifierType=11,
            ResultURL=self.url("reversal"),
            QueueTimeOutURL=self.url("late"),
        )
