"""What the whole form of the deploy-check calls, held against the template: it is played by make test-all only."""

import re

from deploy.stage import ROOT
from deploy.template import Template

PLAYED = "".join(path.read_text() for path in sorted((ROOT / "infra/deploy-check/deploy_check").glob("*.py")))
(API,) = (of["Properties"] for of in Template.read().resources.values() if of["Type"] == "AWS::Serverless::HttpApi")


def is_played(path):
    """In full, or by what follows its last parameter."""
    whole = re.sub(r"\\\{[^}]*\\\}", r"[^\\s/]+", re.escape(path)) + r'["?{]'
    tail = path.rpartition("}")[2]
    return re.search(whole, PLAYED) or ("}" in path and tail and f'}}{tail}"' in PLAYED)


def test_every_path_is_called():
    # The hooks are called by the stand-in for M-Pesa.
    ours = [path for path in API["DefinitionBody"]["paths"] if not path.startswith("/hooks/")]
    assert len(ours) > 80
    assert [path for path in ours if not is_played(path)] == []
