"""The rules of the firewall, as web-acl.yaml writes them down."""

from deploy.commands import WEB_ACL
from deploy.template import Template

RESOURCES = Template.parse(WEB_ACL.read_text()).resources
RULES = {rule["Name"]: rule for rule in RESOURCES["WebAcl"]["Properties"]["Rules"]}
HOOKS = {
    "FieldToMatch": {"UriPath": {}},
    "PositionalConstraint": "STARTS_WITH",
    "SearchString": "/hooks/",
    "TextTransformations": [{"Priority": 0, "Type": "NONE"}],
}


def rate(name):
    rule = RULES[name]
    assert rule["Action"] == {"Block": {}}
    limit = rule["Statement"]["RateBasedStatement"]
    assert (limit["AggregateKeyType"], limit["EvaluationWindowSec"]) == ("IP", 300)
    return limit


def test_it_stands_before_cloudfront_and_lets_through_what_no_rule_stops():
    of = RESOURCES["WebAcl"]["Properties"]
    assert (of["Scope"], of["DefaultAction"]) == ("CLOUDFRONT", {"Allow": {}})
    assert sorted(rule["Priority"] for rule in RULES.values()) == [0, 1, 2]
    assert RULES.keys() == {"known-bad-addresses", "rate", "rate-of-callbacks"}


def test_an_address_is_stopped_by_the_stages_number_and_m_pesas_calls_are_not_counted():
    limit = rate("rate")
    assert limit["Limit"] == "RequestsPerFiveMinutes", "the parameter"
    assert limit["ScopeDownStatement"] == {"NotStatement": {"Statement": {"ByteMatchStatement": HOOKS}}}


def test_m_pesas_calls_have_a_limit_of_their_own_above_any_crowds():
    limit = rate("rate-of-callbacks")
    assert limit["ScopeDownStatement"] == {"ByteMatchStatement": HOOKS}
    # Two hundred a second: of one address more than M-Pesa sends before a deadline.
    assert limit["Limit"] == 200 * 300
