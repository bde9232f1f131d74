"""The public CI's workflows, which run nowhere here: what has to be done before a release is published."""

import yaml
from deploy.stage import ROOT


def test_a_release_is_of_main_and_has_passed_everything_before_it_is_published():
    job = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())["jobs"]["release"]
    steps = job["steps"]
    assert steps[0]["with"]["fetch-depth"] == 0, "main is not there to be asked, nor the history for the secret scan"
    run = [step.get("run", "") for step in steps]
    assert not any("continue-on-error" in step or "if" in step for step in steps)
    (published,) = (at for at, command in enumerate(run) if "gh release create" in command)
    before = "\n".join(run[:published])
    for needed in (
        'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
        "bash .ci/run",
        "infra/advisories.sh required",
        "infra/changelog.sh",
        "infra/reproducible.sh arm64",
        "infra/reproducible.sh x86_64",
    ):
        assert needed in before, needed
