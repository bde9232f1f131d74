"""Starts ministack for its DynamoDB alone: `start_engine.py PORT`."""

import os
import sys
import tempfile

folder = tempfile.mkdtemp()
os.chdir(folder)
os.environ.update(GATEWAY_PORT=sys.argv.pop(), BIND_HOST="127.0.0.1", HOME=folder, TMPDIR=folder, IOT_MTLS_ENABLED="0", SFTP_ENABLED="0", LAMBDA_EXECUTOR="local")

from ministack.app import main  # noqa: E402 (it reads the environment when it is imported)

main()
