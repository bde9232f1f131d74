"""`python -m deploy_check [--short | --operated | --without] --bootstrap … --local …`: deploys into the emulator and plays the product.

Exit status 1: a step failed, which is named; the emulator's files are kept then."""

import argparse
import sys
import time
import traceback
from pathlib import Path

from . import beside, operated, short, watched, whole, without
from .world import World

ROOT = Path(__file__).resolve().parents[3]


def main() -> int:
    words = argparse.ArgumentParser(prog="deploy_check", description=__doc__)
    words.add_argument("--short", action="store_true", help="the page, a sign-up, a deposit, the schedules")
    words.add_argument("--operated", action="store_true", help="the commands that an operator types afterwards")
    words.add_argument("--without", action="store_true", help="take things away in turn: each has to be found")
    words.add_argument("--bootstrap", type=Path, required=True, help="the functions' binary for this machine")
    words.add_argument("--local", type=Path, required=True, help="the local run's binary, which serves the stand-ins")
    words.add_argument("--template", type=Path, default=ROOT / "template.yaml")
    words.add_argument("--page", type=Path, default=ROOT / "web" / "dist")
    said = words.parse_args()
    if said.without:
        return 0 if all([_found(said, one) for one in without.ALL]) else 1
    return 0 if (_operated if said.operated else _played)(said) else 1


def _world(said: argparse.Namespace, take=None) -> World:
    return World(said.template, said.bootstrap, said.local, said.page, take)


def _played(said: argparse.Namespace) -> bool:
    world = _world(said)
    cast = whole.Cast(world)
    steps = [(step, world) for step in (deployed, *short.STEPS)]
    if not said.short:
        steps += [(step, cast) for step in (*whole.STEPS, *beside.STEPS)]
        steps += [(step, world) for step in watched.STEPS]
    return _all(world, [*steps, (short.nobody_denied, world)])


def _operated(said: argparse.Namespace) -> bool:
    world = _world(said)
    cast = whole.Cast(world)
    begin = (operated.a_creation_that_fails_is_begun_anew, operated.a_second_run_changes_nothing, operated.first_keys_change)
    steps = [(step, world) for step in (*begin, short.the_schedules)]
    return _all(world, [*steps, *((step, cast) for step in operated.STEPS)])


def deployed(world: World) -> None:
    world.deploy()
    print(f"   {len(world.stack.resources)} resources")
    for name in world.stack.left_out:
        print(f"   the emulator has no such thing: {name}")


def _all(world: World, steps: list) -> bool:
    begun = time.monotonic()
    try:
        for step, of in steps:
            step(of)
            _tell(step.__name__.replace("_", " "), begun)
    except Exception as error:
        if not isinstance(error, AssertionError):
            traceback.print_exc()
        print(f"deploy-check: {error}\nkept for a look: {world.folder}", file=sys.stderr)
        return False
    finally:
        world.stop()
    world.forget()
    return True


def _found(said: argparse.Namespace, one: without.Without) -> bool:
    """Whether the check fails where `one` is taken away."""
    begun = time.monotonic()
    world = _world(said, one.take)
    try:
        world.deploy()
        for step in one.steps[:-1]:
            step(world)
        try:
            one.steps[-1](world)
        except AssertionError as error:
            if one.because in str(error):
                _tell(f"found: without {one.what}: {str(error)[:160]}", begun)
                return True
            print(f"deploy-check: without {one.what} something else fails: {error}", file=sys.stderr)
            return False
    finally:
        world.stop()
        world.forget()
    print(f"deploy-check: nothing fails without {one.what}", file=sys.stderr)
    return False


def _tell(what: str, begun: float) -> None:
    print(f"ok {what} ({time.monotonic() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
