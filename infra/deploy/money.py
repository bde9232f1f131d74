"""Whether there is other people's money in a table, read item by item: the nightly report is a day old at worst, and this is
asked before the one step that nobody can take back."""

from typing import Any

FILTER = "begins_with(sk, :posting) OR sk IN (:wallet, :prompt, :code, :withdrawal, :paybill)"
VALUES = {
    ":posting": {"S": "POST#"},
    ":wallet": {"S": "WALLET"},
    ":prompt": {"S": "PAY"},
    ":code": {"S": "MANUAL"},
    ":withdrawal": {"S": "WITHDRAWAL"},
    ":paybill": {"S": "PAYBILL"},
}
# Stakes that are not paid out, and withdrawals that were asked for.
OWED = ("pot:", "withdrawals")


def unclaimed(dynamodb: Any, table: str) -> list[str]:
    """Payments to the paybill that named no account and whose code nobody has typed: who paid may still want them."""
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=table,
        ConsistentRead=True,
        FilterExpression="sk = :paybill AND judged = :unclaimed",
        ExpressionAttributeValues={":paybill": VALUES[":paybill"], ":unclaimed": {"S": "unclaimed"}},
    )
    found = {item["pk"]["S"].partition("#")[2]: item.get("amount", {}) for page in pages for item in page["Items"]}

    def claimed(code: str) -> bool:
        key = {"pk": {"S": f"RECEIPT#{code}"}, "sk": {"S": "RECEIPT"}}
        return "Item" in dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)

    return [
        f"{code} (KSh {int(amount['N']):,})" if "N" in amount else code
        for code, amount in sorted(found.items())
        if not claimed(code)
    ]


def reasons(dynamodb: Any, table: str) -> list[str]:
    """What is owed to somebody, or not decided yet, in one line each."""
    balances = open_prompts = typed = withdrawals = not_judged = 0
    accounts: dict[str, int] = {}
    for page in dynamodb.get_paginator("scan").paginate(
        TableName=table, ConsistentRead=True, FilterExpression=FILTER, ExpressionAttributeValues=VALUES
    ):
        for item in page["Items"]:
            match item["sk"]["S"]:
                case "WALLET":
                    balances += int(item["balance"]["N"])
                case "PAY":
                    open_prompts += item["state"]["S"] in {"PENDING", "SET_ASIDE"}
                case "MANUAL":
                    typed += item["status"]["S"] == "pending"
                case "WITHDRAWAL":
                    withdrawals += item["status"]["S"] == "pending"
                case "PAYBILL":
                    not_judged += "S" not in item.get("judged", {})
                case _:
                    for leg in item["legs"]["L"]:
                        account, amount = leg["M"]["account"]["S"], int(leg["M"]["amount"]["N"])
                        accounts[account] = accounts.get(account, 0) + amount
    found = [f"wallets hold KSh {balances:,}"] if balances else []
    found += [f"{name} holds KSh {sum_:,}" for name, sum_ in sorted(accounts.items()) if sum_ and name.startswith(OWED)]
    counted = {
        "prompts are open or set aside": open_prompts,
        "typed codes wait": typed,
        "withdrawals wait": withdrawals,
        "payments to the paybill are nobody's yet": not_judged,
    }
    return found + [f"{count} {what}" for what, count in counted.items() if count]
