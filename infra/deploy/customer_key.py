"""The customer's key (`KeyArn`) for table and secrets: whether it can be used, and the secrets brought under it.

The functions' roles use the key of the stage's file and no other (`UseKey`), and everybody in the account who may read a secret
reads it under SSM's own. So secrets leave another key for SSM's own before the stack is changed, and come under the new key
after it: at no moment is there one that the functions cannot read.
"""

from typing import Any

from . import secrets


def problems(kms: Any, arn: str, region: str) -> list[str]:
    """What keeps the product from using it."""
    parts = arn.split(":")
    if len(parts) != 6:
        return []  # The parameter's pattern has said so.
    if parts[3] != region:
        return [
            f"KeyArn: the key is in {parts[3]}, and the stage in {region}: table and secrets want one of their own region."
        ]
    try:
        key = kms.describe_key(KeyId=arn)["KeyMetadata"]
    except kms.exceptions.NotFoundException:
        return [f"KeyArn: there is no such key in {region}: {arn}."]
    if key["KeyState"] != "Enabled":
        return [f"KeyArn: the key is {key['KeyState']}, not Enabled: table and secrets could not be read."]
    if key.get("KeySpec", "SYMMETRIC_DEFAULT") != "SYMMETRIC_DEFAULT":
        return [f"KeyArn: it is a key for {key['KeySpec']}, and a symmetric one is wanted."]
    return []


def leave_others(ssm: Any, prefix: str, arn: str) -> list[str]:
    """Before the stack is changed: what is encrypted with another key than this one comes under SSM's own. Which they were."""
    return _moved(ssm, prefix, secrets.SSMS_OWN, {arn, secrets.SSMS_OWN})


def come_under(ssm: Any, prefix: str, arn: str) -> list[str]:
    """Once the roles may use it. Which they were."""
    return _moved(ssm, prefix, arn, {arn}) if arn else []


def _moved(ssm: Any, prefix: str, to: str, may_stay: set[str]) -> list[str]:
    moving = sorted(name for name, key in secrets.keys(ssm, prefix).items() if key not in may_stay)
    for name in moving:
        secrets.put(ssm, prefix, name, secrets.get(ssm, prefix, name), to, over=True)
    return moving
