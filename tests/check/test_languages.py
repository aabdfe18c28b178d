"""A new bot in each language passes the check unchanged, built in the sandbox if there is one."""

from pathlib import Path

import pytest

from arena.bots.argument import choose
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.templates import Language, write_bot
from arena.check.rule import Rule, Standing
from arena.referee.clock import Clock
from tests.bots.sandbox.conftest import WHY_NOT
from tests.check.checks import check, verdict
from tests.sample_bots.toolchains import why_not, why_not_now

BUILT = {Language.RUST, Language.GO, Language.JAVA, Language.CPP, Language.TYPESCRIPT}
TRIED = (Rule.LEGAL, Rule.MESSAGES, Rule.TIME, Rule.REPEATED, Rule.EXIT)


@pytest.mark.slow
@pytest.mark.parametrize("language", Language)
def test_a_new_bot_passes_unchanged(language: Language, tmp_path: Path) -> None:
    if reason := why_not(language) or why_not_now(language):
        pytest.skip(reason)
    write_bot(language, tmp_path / "mine")
    mode = SandboxMode.NONE if WHY_NOT else SandboxMode.REQUIRED
    report = check(choose(tmp_path / "mine"), clock=Clock(), sandbox=mode)
    assert report.is_good, report.verdicts
    standings = {v.rule: v.standing for v in report.verdicts}
    assert all(standings[rule] is Standing.GOOD for rule in TRIED), report.verdicts
    boxed = Standing.UNTRIED if WHY_NOT else Standing.GOOD
    assert standings[Rule.SANDBOX] is boxed
    assert ("step" in verdict(report, Rule.BUILD).found) is (
        language in BUILT or language is Language.PYTHON_TORCH
    )
