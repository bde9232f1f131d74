"""A table that takes the place of the stack's own (`ExistingTableName`): a restored one, or one that a stack left behind."""

from typing import Any

from .aws import Refused


def problems(dynamodb: Any, name: str, own: dict) -> list[str]:
    """What keeps the product from running on it. `own`: the template's properties of the stack's own."""
    table = _described(dynamodb, name)
    if table is None:
        return [f"ExistingTableName = '{name}': there is no such table here."]
    if table["TableStatus"] != "ACTIVE":
        return [f"The table {name} is {table['TableStatus']}: wait until it is ACTIVE."]
    found = [] if _same(table["KeySchema"], own["KeySchema"]) else [f"The table {name} has other keys than the product's."]
    there = {index["IndexName"]: index for index in table.get("GlobalSecondaryIndexes", [])}
    for index in own["GlobalSecondaryIndexes"]:
        has = there.get(index["IndexName"])
        if has is None or not _same(has["KeySchema"], index["KeySchema"]) or has["IndexStatus"] != "ACTIVE":
            found.append(f"The table {name} has no index {index['IndexName']} as the product's, or it is still being made.")
    return found


def unkept(dynamodb: Any, name: str) -> list[str]:
    """What is not restored with a table."""
    table = _described(dynamodb, name)
    if table is None:
        return []
    recovery = dynamodb.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    point_in_time = recovery.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus")
    expiry = dynamodb.describe_time_to_live(TableName=name)["TimeToLiveDescription"].get("TimeToLiveStatus")
    missing = {
        "point-in-time recovery": point_in_time == "ENABLED",
        "expiry (ttl)": expiry in {"ENABLED", "ENABLING"},
        "deletion protection": table.get("DeletionProtectionEnabled", False),
    }
    off = [what for what, there in missing.items() if not there]
    return [f"The table {name} is without {', '.join(off)} (docs/runbook.md, 'Restoring')."] if off else []


def come_under(dynamodb: Any, kms: Any, name: str, arn: str) -> bool:
    """Once the roles may use it: a table outside of the stack comes under the customer's key as the stack's own does, or leaves
    one for AWS's. Whether it was under another one."""
    table = _described(dynamodb, name)
    if table is None:
        return False
    used = table.get("SSEDescription", {}).get("KMSMasterKeyArn", "")
    if used == arn or (not arn and kms.describe_key(KeyId=used)["KeyMetadata"]["KeyManager"] == "AWS"):
        return False
    customers = {"SSEType": "KMS", "KMSMasterKeyId": arn} if arn else {}
    dynamodb.update_table(TableName=name, SSESpecification={"Enabled": True, **customers})
    return True


def left(deployed: dict[str, str], given: dict[str, str]) -> None:
    """A stack that was told to use another table is not given an empty one because a line is gone from the stage's file."""
    used = deployed.get("ExistingTableName", "")
    if used and not given.get("ExistingTableName"):
        raise Refused(
            f'The stack uses the table {used}, and the stage\'s file names none: all would be gone. ExistingTableName = "{used}" '
            "belongs into it. If a new, empty table is meant, run the same command with REPLACE=yes."
        )


def _described(dynamodb: Any, name: str) -> dict | None:
    try:
        return dynamodb.describe_table(TableName=name)["Table"]
    except dynamodb.exceptions.ResourceNotFoundException:
        return None


def _same(there: list[dict], wanted: list[dict]) -> bool:
    return {(key["AttributeName"], key["KeyType"]) for key in there} == {
        (key["AttributeName"], key["KeyType"]) for key in wanted
    }
