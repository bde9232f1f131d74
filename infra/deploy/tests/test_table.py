from types import SimpleNamespace

import pytest
from deploy import table
from deploy.aws import Refused
from deploy.template import Template

OWN = Template.read().resources["Table"]["Properties"]
KEPT = "point-in-time recovery, expiry (ttl), deletion protection"


@pytest.fixture
def dynamodb(client):
    return client("dynamodb")


def make(dynamodb, **other):
    shape = {name: OWN[name] for name in ("BillingMode", "KeySchema", "GlobalSecondaryIndexes")} | other
    keys = [shape["KeySchema"], *(index["KeySchema"] for index in shape["GlobalSecondaryIndexes"])]
    used = {key["AttributeName"] for schema in keys for key in schema}
    shape["AttributeDefinitions"] = [of for of in OWN["AttributeDefinitions"] if of["AttributeName"] in used]
    dynamodb.create_table(TableName="restored", **shape)


def keep(dynamodb):
    """As the runbook has it done."""
    expiry = {"Enabled": True, "AttributeName": "ttl"}
    dynamodb.update_time_to_live(TableName="restored", TimeToLiveSpecification=expiry)
    recovery = {"PointInTimeRecoveryEnabled": True}
    dynamodb.update_continuous_backups(TableName="restored", PointInTimeRecoverySpecification=recovery)
    dynamodb.update_table(TableName="restored", DeletionProtectionEnabled=True)


def test_a_table_that_is_as_the_stacks_own_can_take_its_place(dynamodb):
    make(dynamodb)
    assert table.problems(dynamodb, "restored", OWN) == []


def test_one_that_is_not_there_cannot(dynamodb):
    (problem,) = table.problems(dynamodb, "restord", OWN)
    assert "no such table" in problem
    assert table.unkept(dynamodb, "restord") == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}, "other keys"),
        ({"GlobalSecondaryIndexes": OWN["GlobalSecondaryIndexes"][1:]}, "no index lists"),
    ],
)
def test_nor_one_of_another_shape(dynamodb, other, told):
    make(dynamodb, **other)
    (problem,) = table.problems(dynamodb, "restored", OWN)
    assert told in problem


def test_what_is_not_restored_with_a_table_is_told_until_it_is_switched_on(dynamodb):
    make(dynamodb)
    (told,) = table.unkept(dynamodb, "restored")
    assert KEPT in told
    keep(dynamodb)
    assert table.unkept(dynamodb, "restored") == []


ONE, OTHER, AWSS = (f"arn:aws:kms:eu-west-1:123456789012:key/{name}" for name in ("one", "other", "awss"))


@pytest.mark.parametrize(
    ("used", "wanted", "brought"),
    [
        (None, "", None),
        (AWSS, "", None),
        (ONE, ONE, None),
        (None, ONE, {"SSEType": "KMS", "KMSMasterKeyId": ONE}),
        (AWSS, ONE, {"SSEType": "KMS", "KMSMasterKeyId": ONE}),
        (OTHER, ONE, {"SSEType": "KMS", "KMSMasterKeyId": ONE}),
        (OTHER, "", {}),
    ],
)
def test_a_table_of_before_comes_under_the_key_that_the_stack_uses(dynamodb, monkeypatch, used, wanted, brought):
    make(dynamodb, **({"SSESpecification": {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": used}} if used else {}))
    changes = []
    monkeypatch.setattr(dynamodb, "update_table", lambda **change: changes.append(change))
    manager = {ONE: "CUSTOMER", OTHER: "CUSTOMER", AWSS: "AWS"}
    kms = SimpleNamespace(describe_key=lambda KeyId: {"KeyMetadata": {"KeyManager": manager[KeyId]}})
    assert table.come_under(dynamodb, kms, "restored", wanted) is (brought is not None)
    to = [] if brought is None else [{"TableName": "restored", "SSESpecification": {"Enabled": True, **brought}}]
    assert changes == to
    assert table.come_under(dynamodb, kms, "restord", wanted) is False


def test_a_line_that_is_gone_from_the_stages_file_does_not_empty_the_product():
    with pytest.raises(Refused, match='ExistingTableName = "restored"'):
        table.left({"ExistingTableName": "restored"}, {"ExistingTableName": ""})
    for deployed, given in (("", ""), ("", "restored"), ("restored", "restored"), ("restored", "restored-again")):
        table.left({"ExistingTableName": deployed}, {"ExistingTableName": given})
