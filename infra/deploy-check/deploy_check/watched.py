"""What has run, and what somebody is told of: every alarm by the topic, and a message that nothing can be made of."""

import json
import time

from .people import eventually
from .world import MAILS_TO, World

# Received so often, it goes to the dead letters.
TRIES = 5


def every_function_has_run(world: World) -> None:
    wanted = world.functions()
    missing = sorted(handler for handler in wanted if not world.has_run(handler))
    assert not missing, f"of {len(wanted)} functions these have not run: {missing}"
    print(f"   all {len(wanted)} functions have run")


def no_dead_letters(world: World) -> None:
    sqs = world.emulator.client("sqs")
    for name, url in world.stack.of_kind("AWS::SQS::Queue").items():
        if "DeadLetters" in name:
            assert _count(sqs, url) == 0, f"messages lie in {name}"


def alarms_reach_the_topic(world: World) -> None:
    """Each alarm is rung, and the topic's subscribers hear of it."""
    sns, sqs, watch = (world.emulator.client(name) for name in ("sns", "sqs", "cloudwatch"))
    (topic,) = world.stack.of_kind("AWS::SNS::Topic").values()
    told = [s["Endpoint"] for s in sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]]
    assert MAILS_TO in told, f"the topic's subscribers: {told}"
    queue = sqs.create_queue(QueueName="hears-alarms")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    send = {"Effect": "Allow", "Principal": {"Service": "sns.amazonaws.com"}, "Action": "sqs:SendMessage", "Resource": arn}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [send]})
    sqs.set_queue_attributes(QueueUrl=queue, Attributes={"Policy": policy})
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    names = set(world.stack.of_kind("AWS::CloudWatch::Alarm").values())
    assert names, "there are no alarms"
    for name in names:
        watch.set_alarm_state(AlarmName=name, StateValue="OK", StateReason="before")
        watch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="tried")
    heard: set[str] = set()

    def all_heard() -> bool:
        for message in sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10).get("Messages", []):
            heard.add(json.loads(json.loads(message["Body"])["Message"])["AlarmName"])
            sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
        return heard >= names

    try:
        eventually(all_heard, "the topic's subscribers hear of every alarm", 30)
    except AssertionError as error:
        raise AssertionError(f"{error}; not of {sorted(names - heard)}") from error


def a_dead_letter(world: World) -> None:
    """In every queue a message that nothing can be made of is tried and then lies with the dead letters."""
    sqs = world.emulator.client("sqs")
    queues = world.stack.of_kind("AWS::SQS::Queue")
    # A queue that has dead letters is named as they are (`PaymentsQueue`, `PaymentsDeadLetters`).
    pairs = {name: (queues[name], queues[f"{name.removesuffix('Queue')}DeadLetters"]) for name in queues if name.endswith("Queue")}
    assert pairs, "there are no queues"
    for queue, _ in pairs.values():
        sqs.send_message(QueueUrl=queue, MessageBody="nothing can be made of this")
    waiting = dict(pairs)
    for _ in range(TRIES + 3):
        time.sleep(3)
        waiting = {name: of for name, of in waiting.items() if not _count(sqs, of[1])}
        if not waiting:
            break
        # Longer than any queue hides a message that failed.
        world.advance(minutes=31)
    assert not waiting, f"no dead letter comes of {sorted(waiting)}"
    for _, dead in pairs.values():
        sqs.purge_queue(QueueUrl=dead)


STEPS = (every_function_has_run, no_dead_letters, alarms_reach_the_topic, a_dead_letter)


def _count(sqs, queue: str) -> int:
    return int(sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["ApproximateNumberOfMessages"])["Attributes"]["ApproximateNumberOfMessages"])
