"""Each state that a stack can be found in. What CloudFormation answers is written down here: no stand-in has all of them."""

from datetime import UTC, datetime

import pytest
from botocore.stub import ANY, Stubber
from deploy import stack
from deploy.aws import Refused

from .conftest import SESSION

ID = "arn:aws:cloudformation:eu-west-1:123456789012:stack/play/1"
SET = "arn:aws:cloudformation:eu-west-1:123456789012:changeSet/deploy-1/1"


class Cloud:
    """CloudFormation, that answers what it is told to, in that order, and refuses everything else."""

    def __init__(self):
        self.client = SESSION.client("cloudformation")
        self.stub = Stubber(self.client)
        self.stub.activate()

    def is_(self, status, name="play", outputs=None):
        found = {"StackName": "play", "StackId": ID, "StackStatus": status, "CreationTime": datetime.now(UTC)}
        if outputs:
            found["Outputs"] = [{"OutputKey": key, "OutputValue": value} for key, value in outputs.items()]
        self.stub.add_response("describe_stacks", {"Stacks": [found]}, {"StackName": name})
        return self

    def is_not(self, name="play"):
        message = f"Stack with id {name} does not exist"
        self.stub.add_client_error("describe_stacks", "ValidationError", message, expected_params={"StackName": name})
        return self

    def offers(self, kind, *changes, template=None):
        expected = {
            "StackName": "play",
            "ChangeSetName": ANY,
            "ChangeSetType": kind,
            **(template or {"TemplateURL": "https://t"}),
            "Parameters": [{"ParameterKey": "A", "ParameterValue": "1"}],
            "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        }
        self.stub.add_response("create_change_set", {"Id": SET, "StackId": ID}, expected)
        self.stub.add_response("describe_change_set", {"Status": "CREATE_IN_PROGRESS"})
        self.stub.add_response("describe_change_set", {"Status": "CREATE_COMPLETE"})
        self.stub.add_response(
            "describe_change_set", {"Status": "CREATE_COMPLETE", "Changes": [change(*c) for c in changes]}
        )
        return self

    def offers_nothing(self, kind, reason):
        self.stub.add_response("create_change_set", {"Id": SET, "StackId": ID})
        self.stub.add_response("describe_change_set", {"Status": "FAILED", "StatusReason": reason})
        self.stub.add_response("delete_change_set", {}, {"ChangeSetName": SET, "StackName": "play"})
        return self

    def does(self, call, **expected):
        self.stub.add_response(call, {}, expected)
        return self

    def tells(self, *events):
        known = [
            {
                "StackId": ID,
                "EventId": str(number),
                "StackName": "play",
                "Timestamp": datetime(2126, 1, 1, tzinfo=UTC),
                "LogicalResourceId": name,
                "ResourceType": "AWS::Lambda::Function",
                "ResourceStatus": "CREATE_FAILED",
                "ResourceStatusReason": reason,
            }
            for number, (name, reason) in enumerate(events)
        ]
        self.stub.add_response("describe_stack_events", {"StackEvents": known})
        return self

    def apply(self, template="https://t", **more):
        outcome = stack.apply(self.client, "play", template, {"A": "1"}, pause=0, say=lambda _: None, **more)
        self.stub.assert_no_pending_responses()
        return outcome


def change(name, kind, action, replacement="False", policy="Delete"):
    what = {"LogicalResourceId": name, "ResourceType": kind, "Action": action, "Replacement": replacement}
    what["PolicyAction"] = policy
    return {"Type": "Resource", "ResourceChange": what}


@pytest.fixture
def cloud():
    return Cloud()


def test_where_there_is_none_one_is_made(cloud):
    cloud.is_not().offers("CREATE", ("T", "AWS::DynamoDB::Table", "Add"))
    cloud.does("execute_change_set", ChangeSetName=SET).is_("CREATE_IN_PROGRESS").is_("CREATE_COMPLETE")
    assert cloud.apply() is stack.Outcome.CREATED


@pytest.mark.parametrize("settled", sorted(stack.SETTLED))
def test_one_that_is_there_is_changed(cloud, settled):
    cloud.is_(settled).offers("UPDATE", ("F", "AWS::Lambda::Function", "Modify"))
    cloud.does("execute_change_set", ChangeSetName=SET).is_("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS").is_(
        "UPDATE_COMPLETE"
    )
    assert cloud.apply() is stack.Outcome.UPDATED


@pytest.mark.parametrize(
    "reason",
    [
        "The submitted information didn't contain changes. Submit different information to create a change set.",
        "No updates are to be performed.",
    ],
)
def test_a_second_run_changes_nothing(cloud, reason):
    cloud.is_("UPDATE_COMPLETE").offers_nothing("UPDATE", reason)
    assert cloud.apply() is stack.Outcome.UNCHANGED


@pytest.mark.parametrize("status", sorted(stack.STILLBORN))
def test_one_that_never_came_to_be_is_deleted_and_made(cloud, status):
    cloud.is_(status).is_(status).does("delete_stack", StackName=ID).is_("DELETE_COMPLETE", ID)
    cloud.offers("CREATE").does("execute_change_set", ChangeSetName=SET).is_("CREATE_COMPLETE")
    assert cloud.apply() is stack.Outcome.CREATED


def test_a_change_set_that_nobody_carried_out_is_no_stack(cloud):
    cloud.is_("REVIEW_IN_PROGRESS").offers("CREATE").does("execute_change_set", ChangeSetName=SET).is_(
        "CREATE_COMPLETE"
    )
    assert cloud.apply() is stack.Outcome.CREATED


def test_a_template_may_go_along_where_no_bucket_has_it(cloud):
    cloud.is_not().offers("CREATE", template={"TemplateBody": "Resources: {}"})
    cloud.does("execute_change_set", ChangeSetName=SET).is_("CREATE_COMPLETE")
    assert cloud.apply(template="Resources: {}") is stack.Outcome.CREATED


def test_what_somebody_else_is_doing_is_waited_for(cloud):
    cloud.is_("UPDATE_IN_PROGRESS").is_("UPDATE_COMPLETE").offers_nothing("UPDATE", "didn't contain changes")
    assert cloud.apply() is stack.Outcome.UNCHANGED


@pytest.mark.parametrize(
    ("status", "undoing"), [("UPDATE_ROLLBACK_FAILED", "continue_update_rollback"), ("UPDATE_FAILED", "rollback_stack")]
)
def test_a_change_that_stands_half_done_is_undone_first(cloud, status, undoing):
    cloud.is_(status).does(undoing, StackName="play").is_("UPDATE_ROLLBACK_IN_PROGRESS").is_("UPDATE_ROLLBACK_COMPLETE")
    cloud.offers("UPDATE").does("execute_change_set", ChangeSetName=SET).is_("UPDATE_COMPLETE")
    assert cloud.apply() is stack.Outcome.UPDATED


def test_one_that_is_half_deleted_is_not_built_on(cloud):
    with pytest.raises(Refused, match="make destroy"):
        cloud.is_("DELETE_FAILED").apply()


def test_why_a_change_failed_is_told_with_its_cause_first(cloud):
    cloud.is_("UPDATE_COMPLETE").offers("UPDATE").does("execute_change_set", ChangeSetName=SET).is_(
        "UPDATE_ROLLBACK_COMPLETE"
    )
    # AWS tells the newest first.
    cloud.tells(("C", "Resource creation cancelled"), ("B", "also wrong"), ("A", "the role may not"))
    with pytest.raises(Refused) as refused:
        cloud.apply()
    assert [line.split()[0] for line in refused.value.reasons[1:3]] == ["A", "B"]
    assert not any(" C " in line for line in refused.value.reasons)


def test_a_template_that_is_not_taken_leaves_no_stack_behind(cloud):
    cloud.is_not().offers_nothing("CREATE", "Parameters: [MailFrom] must have values")
    cloud.is_("REVIEW_IN_PROGRESS").does("delete_stack", StackName=ID).is_("DELETE_COMPLETE", ID)
    with pytest.raises(Refused, match="MailFrom"):
        cloud.apply()


LOSSES = [
    ("Table", "AWS::DynamoDB::Table", "Remove"),
    ("PaymentsQueue", "AWS::SQS::Queue", "Modify", "True"),
    ("Web", "AWS::S3::Bucket", "Remove"),
]


@pytest.mark.parametrize("loss", LOSSES)
def test_what_holds_data_is_not_taken_away(cloud, loss):
    cloud.is_("UPDATE_COMPLETE").offers("UPDATE", loss).does("delete_change_set", ChangeSetName=SET)
    with pytest.raises(Refused, match=f"holds data: {loss[0]}.*REPLACE=yes"):
        cloud.apply()


OWN_TABLE = ("Table", "AWS::DynamoDB::Table", "Remove", "False")


def test_a_table_that_is_kept_may_leave_the_stack_for_another_one(cloud):
    cloud.is_("UPDATE_COMPLETE").offers("UPDATE", (*OWN_TABLE, "Retain"))
    cloud.does("execute_change_set", ChangeSetName=SET).is_("UPDATE_COMPLETE")
    assert cloud.apply(leaving={"Table"}) is stack.Outcome.UPDATED


def test_not_one_that_would_be_deleted_nor_anything_else(cloud):
    for loss in ((*OWN_TABLE, "Delete"), ("PaymentsQueue", "AWS::SQS::Queue", "Remove", "False", "Retain")):
        cloud.is_("UPDATE_COMPLETE").offers("UPDATE", loss).does("delete_change_set", ChangeSetName=SET)
        with pytest.raises(Refused, match=f"holds data: {loss[0]}"):
            cloud.apply(leaving={"Table"})


def test_unless_it_is_meant(cloud):
    cloud.is_("UPDATE_COMPLETE")
    cloud.stub.add_response("create_change_set", {"Id": SET, "StackId": ID})
    cloud.stub.add_response("describe_change_set", {"Status": "CREATE_COMPLETE"})
    cloud.does("execute_change_set", ChangeSetName=SET).is_("UPDATE_COMPLETE")
    assert cloud.apply(may_replace=True) is stack.Outcome.UPDATED


def test_outputs_of_what_is_not_there_are_none(cloud):
    assert stack.outputs(cloud.is_not().client, "play") == {}
    assert stack.outputs(cloud.is_("CREATE_COMPLETE", outputs={"Url": "https://u"}).client, "play") == {
        "Url": "https://u"
    }
