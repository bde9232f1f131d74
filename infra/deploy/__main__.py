"""`python -m deploy COMMAND STAGE`, which the Makefile calls. What else is wanted comes by the environment, as it does from
make: EMAIL, ROTATE, LEAKED, REGISTERED, RELEASE, REPLACE, ANYWAY, EVERYTHING, CONFIRM."""

import os
import sys

from botocore.exceptions import BotoCoreError, ClientError

from . import commands, operator, stage
from .aws import Aws, Refused
from .destroy import destroy
from .template import Template

COMMANDS = ("check", "deploy", "rollback", "destroy", "secrets", "paybill-address", *operator.ACTS)


def run(command: str, name: str) -> None:
    of = stage.read(name)
    aws = Aws(of.region)

    def said(word: str) -> bool:
        return os.environ.get(word, "") == "yes"

    match command:
        case "check":
            commands.check(of, Template.read(), aws)
            print("Nothing is missing.")
        case "deploy":
            commands.deploy(of, aws, may_replace=said("REPLACE"), anyway=said("ANYWAY"))
        case "rollback":
            wanted = os.environ.get("RELEASE", "")
            if wanted and not wanted.isdecimal():
                raise Refused(f"RELEASE={wanted}: a release is a number.")
            commands.rollback(of, aws, int(wanted) if wanted else None, may_replace=said("REPLACE"))
        case "destroy":
            destroy(of, aws, everything=said("EVERYTHING"))
        case "secrets":
            commands.keep_secrets(of, aws, os.environ.get("ROTATE") or None, leaked=said("LEAKED"))
        case "paybill-address":
            operator.paybill_address(of, aws, registered=said("REGISTERED"))
        case _:
            operator.run(of, aws, command, os.environ.get("EMAIL", ""))


def main(words: list[str]) -> int:
    if len(words) != 2 or words[0] not in COMMANDS:
        print(f"usage: python -m deploy {'|'.join(COMMANDS)} STAGE", file=sys.stderr)
        return 2
    try:
        run(*words)
    except Refused as refused:
        print("\n".join(refused.reasons), file=sys.stderr)
        return 1
    except (ClientError, BotoCoreError) as error:
        print(f"AWS did not do it: {error}\nRunning the same command again goes on from here.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nBroken off. Running the same command again goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
