#!/usr/bin/env python3
"""planted.py itself, on a small product whose cargo is a stand-in: what is found, missed, does not compile or never ends is told
apart, and none of it keeps the others from being played."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import planted

# A program per file: its word says what comes of it. What is "quiet" is not seen by its test; what is "noisy" fails every test.
CARGO = """#!/bin/sh
if grep -q broken src/*; then exit 101; fi
case "$*" in *--no-run*) exit 0;; esac
for file in src/*; do
  if grep -q wrong "$file" || grep -q noisy src/*; then echo "test of_$(basename "$file") ... FAILED"; else echo "test of_$(basename "$file") ... ok"; fi
done
if grep -q endless src/*; then sleep 600; fi
"""


class Planted(unittest.TestCase):
    def played(self, **bugs: str) -> tuple[list[str], int]:
        """Each file of `bugs` gets a bug that makes it say that word; the last lines of what is printed, and the exit status."""
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as kept:
            root, programs = Path(folder) / "product", Path(folder) / "programs"
            for made in (root / "src", root / "infra" / "planted", programs):
                made.mkdir(parents=True)
            (programs / "cargo").write_text(CARGO)
            (programs / "cargo").chmod(0o755)
            for name, word in bugs.items():
                (root / "src" / name).write_text("right\n")
                change = f"--- a/src/{name}\n+++ b/src/{name}\n@@ -1 +1 @@\n-right\n+{word}\n"
                patch = f"{name} is {word}.\nCaught by: api of_{name}\nCaught by: interleavings of_{name}\n\n{change}"
                (root / "infra" / "planted" / f"{name}.patch").write_text(patch)
            git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.com"]
            for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "All of it"]):
                subprocess.run([*git, *command], cwd=root, check=True)
            path = f"{programs}{os.pathsep}{os.environ['PATH']}"
            kept.enter_context(mock.patch.dict(os.environ, PATH=path, CARGO_TARGET_DIR=f"{folder}/target"))
            kept.enter_context(mock.patch.multiple(planted, ROOT=root, PATCHES=root / "infra" / "planted", LONGEST=2))
            kept.enter_context(mock.patch.object(sys, "argv", ["planted.py"]))
            printed = kept.enter_context(contextlib.redirect_stdout(io.StringIO()))
            with self.assertRaises(SystemExit) as ended:
                planted.main()
            return [line.strip() for line in printed.getvalue().splitlines()], int(ended.exception.code)

    def test_all_are_found_by_each_of_their_lines(self) -> None:
        printed, status = self.played(one="wrong", two="wrong")
        self.assertEqual((printed[-1], status), ("4 of 4 lines found, of 2 bugs", 0))

    def test_one_that_no_test_sees_is_missed(self) -> None:
        printed, status = self.played(one="wrong", two="quiet")
        self.assertIn("MISSED  two (api): two is quiet.", printed)
        self.assertEqual((printed[-1], status), ("2 of 4 lines found, of 2 bugs", 1))

    def test_one_that_no_test_sees_hides_behind_another_but_not_alone(self) -> None:
        self.assertEqual(self.played(one="noisy", two="quiet")[1], 0)
        with mock.patch.object(planted, "GROUP", 1):
            printed, status = self.played(one="noisy", two="quiet")
        self.assertIn("MISSED  two (api): two is quiet.", printed)
        self.assertEqual((printed[-1], status), ("2 of 4 lines found, of 2 bugs", 1))

    def test_one_that_does_not_compile_is_told_and_the_others_are_found(self) -> None:
        printed, status = self.played(one="wrong", two="broken", three="wrong")
        self.assertIn("BROKEN  two (api): two is broken.", printed)
        self.assertEqual((printed[-1], status), ("4 of 6 lines found, of 3 bugs", 1))

    def test_one_whose_tests_never_end_is_told_and_the_others_are_found(self) -> None:
        printed, status = self.played(one="wrong", two="endless", three="wrong")
        self.assertIn("HANGS  two (interleavings): two is endless.", printed)
        self.assertEqual((printed[-1], status), ("4 of 6 lines found, of 3 bugs", 1))


if __name__ == "__main__":
    unittest.main()
