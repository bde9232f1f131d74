"""The address that mails come from: SES has to know it, or its domain, as ours, and to let us write to anybody."""

from typing import Any


def problems(ses: Any, address: str) -> list[str]:
    """What keeps mails from this address from being sent. A domain that SES does not know is introduced to it."""
    domain = address.partition("@")[2]
    for identity in (address, domain):
        try:
            if ses.get_email_identity(EmailIdentity=identity)["VerifiedForSendingStatus"]:
                return []
        except ses.exceptions.NotFoundException:
            continue
    try:
        known = ses.get_email_identity(EmailIdentity=domain)
    except ses.exceptions.NotFoundException:
        known = ses.create_email_identity(EmailIdentity=domain)
    tokens = known.get("DkimAttributes", {}).get("Tokens", [])
    records = "; ".join(f"{token}._domainkey.{domain} CNAME {token}.dkim.amazonses.com" for token in tokens)
    wanted = (
        f"Put these records into its DNS and wait (minutes to hours): {records}"
        if records
        else "Verify it in the SES console."
    )
    return [f"MailFrom: SES has not verified {domain} as ours yet. {wanted}"]


def in_sandbox(ses: Any) -> bool:
    """Then mails go to verified addresses only."""
    return not ses.get_account().get("ProductionAccessEnabled", False)
