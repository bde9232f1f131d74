"""`python -m peers --local …`: public clients of Daraja call the simulated M-Pesa, and the product calls a public double of
Daraja. Prints which call of which client passes; exit status 1: one does not, or one that is listed as refused passes."""

import argparse
import sys
import time
from pathlib import Path

from . import double, tries
from .node_client import MpesaApi
from .python_clients import ALL
from .simulated import Simulated


def main() -> int:
    words = argparse.ArgumentParser(prog="peers", description=__doc__)
    words.add_argument("--local", type=Path, required=True, help="the local run's binary")
    said = words.parse_args()
    begun = time.monotonic()
    shop = Simulated(said.local)
    try:
        told = [tries.of(client, shop, n) for n, client in enumerate([*ALL, MpesaApi])]
    finally:
        shop.stop()
    print(tries.table(told))
    good = all(one.good for tried in told for one in tried.calls.values())
    good &= double.play(said.local)
    print(f"{'all as expected' if good else 'NOT as expected'} ({time.monotonic() - begun:.0f} s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
