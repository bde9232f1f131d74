"""Runs schemathesis against the product at BASE_URL: as nobody, as a player, as the admin.

No 5xx, no status, header or body that the document does not have, and what the document's schemas refuse
is refused. The seed is fixed: the same run twice sends the same.
"""

import json
import os
import subprocess
import sys
import urllib.request

BASE = os.environ["BASE_URL"]
SEED = "20260820"
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
]


def post(path, body):
    """The answer to a JSON body."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def token(email, password):
    """An access token: it lives for fifteen minutes, longer than one caller's run."""
    return post("/api/login", {"email": email, "password": password})["accessToken"]


def run(who, headers):
    """Whether nothing was found."""
    print(f"\n-- as {who}", flush=True)
    command = [
        os.path.join(os.path.dirname(sys.executable), "schemathesis"),
        "--config-file", "infra/schemathesis.toml", "run", BASE + "/api/openapi.json",
        "--seed", SEED, "--generation-database", "none", "--phases", "examples,coverage,fuzzing",
        "--max-examples", os.environ.get("CASES", "40"), "--continue-on-failure", "--workers", "1",
        "--request-timeout", "30", "--warnings", "off", "--checks", ",".join(CHECKS),
    ]
    return subprocess.run(command + headers, check=False).returncode == 0


def main():
    """Ends with 1 where anything was found."""
    player = post("/sim/api/players", {"count": 1, "entryAmount": 50})[0]
    callers = {
        "a player": (player["email"], player["password"]),
        "the admin": (os.environ["ADMIN_EMAIL"], os.environ["ADMIN_PASSWORD"]),
    }
    found = [] if run("nobody", []) else ["nobody"]
    for who, account in callers.items():
        if not run(who, ["--header", f"Authorization: Bearer {token(*account)}"]):
            found.append(who)
    if found:
        sys.exit(f"schemathesis found something as {', '.join(found)}")


main()
