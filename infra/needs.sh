#!/usr/bin/env bash
# Names, in one clear line each, what has to be on the machine before anything can be built.
# With "chromium" it also makes sure of a browser for the tests: on Debian as root it installs it.
set -euo pipefail

missing=0
need() {
  command -v "$1" >/dev/null 2>&1 || { echo "needed first: $2" >&2; missing=1; }
}
need cargo "Rust 1.95 or later (rustup.rs)"
need node "Node.js 20.19 or later"
need npm "npm 10 or later (it comes with Node.js)"
need python3 "Python 3.11 or later with venv (Debian: apt-get install python3-venv)"
need git "git"
need cc "a C compiler (Debian: apt-get install build-essential)"
if [ "${1:-}" = chromium ] && ! { command -v chromium && command -v chromium-headless-shell; } >/dev/null 2>&1; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing Debian's Chromium for the browser tests"
    { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q chromium chromium-headless-shell; } >/dev/null
  else
    # The one without a window is only the quicker of the two.
    need chromium "Chromium for the browser tests (Debian: apt-get install chromium chromium-headless-shell)"
  fi
fi
exit "$missing"
