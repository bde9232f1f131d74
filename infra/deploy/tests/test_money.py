import pytest
from deploy import money

KEYS = [("pk", "HASH"), ("sk", "RANGE")]


@pytest.fixture
def table(client):
    dynamodb = client("dynamodb")
    dynamodb.create_table(
        TableName="t",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name, _ in KEYS],
        KeySchema=[{"AttributeName": name, "KeyType": kind} for name, kind in KEYS],
    )
    return dynamodb


def put(dynamodb, pk, sk, **attributes):
    dynamodb.put_item(TableName="t", Item={"pk": {"S": pk}, "sk": {"S": sk}, **attributes})


def posting(**legs):
    named = {name.replace("_", ":", 1): amount for name, amount in legs.items()}
    return {"L": [{"M": {"account": {"S": name}, "amount": {"N": str(amount)}}} for name, amount in named.items()]}


def test_a_table_in_which_everybody_has_been_paid_holds_no_money(table):
    put(table, "USER#1", "PROFILE", balance={"N": "100"})
    put(table, "USER#1", "WALLET", balance={"N": "0"})
    put(table, "USER#1", "POST#entry#2026-03", legs=posting(wallet_1=-50, pot_3=50))
    put(table, "LEAGUE#1", "POST#fee#1", legs=posting(pot_3=-5, fees=5))
    put(table, "USER#1", "POST#prize#1", legs=posting(pot_3=-45, wallet_1=45))
    put(table, "USER#1", "POST#withdrawal#1", legs=posting(wallet_1=-45, withdrawals=45))
    put(table, "USER#1", "POST#withdrawal-done#1", legs=posting(withdrawals=-45, mpesa_out=45))
    put(table, "PAY#1", "PAY", state={"S": "SUCCESS"})
    put(table, "MANUAL#1", "MANUAL", status={"S": "confirmed"})
    put(table, "WITHDRAWAL#1", "WITHDRAWAL", status={"S": "done"})
    put(table, "PAYBILL#1", "PAYBILL", judged={"S": "paybill#1"})
    assert money.reasons(table, "t") == []


@pytest.mark.parametrize(
    ("sk", "attributes", "told"),
    [
        ("WALLET", {"balance": {"N": "1250"}}, "wallets hold KSh 1,250"),
        ("POST#entry#3", {"legs": posting(wallet_1=-50, pot_3=50)}, "pot:3 holds KSh 50"),
        ("POST#withdrawal#1", {"legs": posting(wallet_1=-45, withdrawals=45)}, "withdrawals holds KSh 45"),
        ("PAY", {"state": {"S": "PENDING"}}, "1 prompts are open or set aside"),
        ("PAY", {"state": {"S": "SET_ASIDE"}}, "1 prompts are open or set aside"),
        ("MANUAL", {"status": {"S": "pending"}}, "1 typed codes wait"),
        ("WITHDRAWAL", {"status": {"S": "pending"}}, "1 withdrawals wait"),
        ("PAYBILL", {}, "1 payments to the paybill are nobody's yet"),
        ("PAYBILL", {"judged": {"NULL": True}}, "1 payments to the paybill are nobody's yet"),
    ],
)
def test_each_kind_of_money_that_is_owed_is_told(table, sk, attributes, told):
    put(table, "USER#1", sk, **attributes)
    assert money.reasons(table, "t") == [told]


def test_payments_to_the_paybill_that_nobody_has_claimed_are_named(table):
    put(table, "PAYBILL#AAA", "PAYBILL", judged={"S": "unclaimed"}, amount={"N": "5000"})
    put(table, "PAYBILL#BBB", "PAYBILL", judged={"S": "unclaimed"}, amount={"NULL": True})
    put(table, "PAYBILL#CCC", "PAYBILL", judged={"S": "unclaimed"}, amount={"N": "70"})
    put(table, "RECEIPT#CCC", "RECEIPT", cause={"S": "manual#1"})
    put(table, "PAYBILL#DDD", "PAYBILL", judged={"S": "paybill#DDD"}, amount={"N": "70"})
    assert money.unclaimed(table, "t") == ["AAA (KSh 5,000)", "BBB"]


def test_it_is_read_to_its_end(table):
    for number in range(40):
        # A page is a megabyte at most.
        put(table, f"USER#{number}", "WALLET", balance={"N": "1"}, filler={"S": "x" * 60_000})
    assert money.reasons(table, "t") == ["wallets hold KSh 40"]
