"""The stage's own domain: its certificate, which is asked for where there is none, and the records that DNS wants."""

from typing import Any


def covers(name: str, domain: str) -> bool:
    """Whether a certificate's name is good for the domain: `*.example.com` is for one label more."""
    if name.startswith("*."):
        return domain.partition(".")[2].lower() == name[2:].lower()
    return name.lower() == domain.lower()


def certificates(acm: Any, domain: str) -> list[dict]:
    """Those for the domain, whatever has become of them."""
    found = []
    for page in acm.get_paginator("list_certificates").paginate(Includes={"keyTypes": ["RSA_2048", "EC_prime256v1"]}):
        for listed in page["CertificateSummaryList"]:
            certificate = acm.describe_certificate(CertificateArn=listed["CertificateArn"])["Certificate"]
            names = [certificate["DomainName"], *certificate.get("SubjectAlternativeNames", [])]
            if any(covers(name, domain) for name in names):
                found.append(certificate)
    return found


def issued(acm: Any, domain: str) -> str | None:
    usable = [found for found in certificates(acm, domain) if found["Status"] == "ISSUED"]
    return usable[0]["CertificateArn"] if usable else None


def wrong_with(acm: Any, arn: str, domain: str) -> str | None:
    """Why this certificate does not do for this domain."""
    if ":us-east-1:" not in arn:
        return f"CertificateArn: CloudFront takes certificates of us-east-1 only, and this one is elsewhere: {arn}."
    try:
        certificate = acm.describe_certificate(CertificateArn=arn)["Certificate"]
    except acm.exceptions.ResourceNotFoundException:
        return f"CertificateArn: there is no such certificate in us-east-1: {arn}. Leave it out and one is found or asked for."
    names = [certificate["DomainName"], *certificate.get("SubjectAlternativeNames", [])]
    if not any(covers(name, domain) for name in names):
        return f"CertificateArn: it is for {', '.join(names)}, and not for {domain}."
    if certificate["Status"] != "ISSUED":
        return f"CertificateArn: it is {certificate['Status']}, not ISSUED. {awaited(certificate)}"
    return None


def ask_for(acm: Any, domain: str) -> str:
    """Asks for a certificate, once. What has to be done before it is issued."""
    pending = [found for found in certificates(acm, domain) if found["Status"] == "PENDING_VALIDATION"]
    if not pending:
        # The same token within an hour is the same request.
        token = "".join(character for character in domain if character.isalnum())[:32]
        arn = acm.request_certificate(DomainName=domain, ValidationMethod="DNS", IdempotencyToken=token)[
            "CertificateArn"
        ]
        pending = [acm.describe_certificate(CertificateArn=arn)["Certificate"]]
    return awaited(pending[0])


def awaited(certificate: dict) -> str:
    records = [
        option["ResourceRecord"]
        for option in certificate.get("DomainValidationOptions", [])
        if "ResourceRecord" in option
    ]
    if not records:
        return "Its record for DNS is not known yet: run this again in a minute."
    wanted = "; ".join(f"{record['Name']} {record['Type']} {record['Value']}" for record in records)
    return f"Put this record into the domain's DNS and wait until it is issued (minutes to an hour): {wanted}"
