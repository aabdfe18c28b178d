"""From what was seen of a bot to a verdict for each rule.

Owns the thresholds and the words. Must not play.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from arena.check.conditions import Conditions
from arena.check.evidence import Evidence, Played, Twist, median
from arena.check.rule import CURES, Rule, Standing, Verdict
from arena.counted import counted
from arena.referee.events import AnswerRejected, Fault
from arena.referee.faults import FaultKind as F
from arena.referee.faults import Reason

NEAR: Final = 0.8
"""From this share of a limit on, a bot is told to be careful."""
MOST_OUTPUT_BYTES: Final = 2 * 64 * 1024
"""What is kept whole of a process's output."""
_NO_ANSWER: Final = "it answered nothing"

_FAULTS: Final = {
    Rule.READY: (F.NOT_READY,),
    Rule.STAYING: (F.CRASHED, F.LEFT, F.LOST),
    Rule.LEGAL: (F.ILLEGAL, F.NOT_HELD, F.REVOKE),
    Rule.CLAIMS: (F.INFRACTION,),
    Rule.MESSAGES: (F.MALFORMED, F.UNSOLICITED, F.FLOOD, F.NOT_READING),
}
_REASONS: Final = {
    Rule.LEGAL: (Reason.ILLEGAL_CARD, Reason.CARD_NOT_HELD),
    Rule.CLAIMS: (Reason.BAD_DECLARATION, Reason.BAD_SIGNAL),
    Rule.MESSAGES: (
        Reason.UNKNOWN_DECISION,
        Reason.MALFORMED,
        Reason.UNKNOWN_MESSAGE,
        Reason.WRONG_KIND,
        Reason.TOO_LARGE,
        Reason.TOO_MANY_MESSAGES,
    ),
}


def judge(evidence: Evidence, conditions: Conditions) -> list[Verdict]:
    """Give a verdict for each rule that matches can show, in the order of the rules."""
    verdicts = {verdict.rule: verdict for verdict in _all(evidence, conditions)}
    return [verdicts[rule] for rule in Rule if rule in verdicts]


def _all(evidence: Evidence, conditions: Conditions) -> Iterator[Verdict]:
    yield _start(evidence, conditions)
    if evidence.joining_ns and evidence.played:
        fair = [match for match in evidence.played if match.twist is Twist.NONE]
        for rule in (Rule.READY, Rule.STAYING, Rule.LEGAL, Rule.CLAIMS, Rule.MESSAGES):
            yield _kept(rule, fair, evidence)
        yield _time(fair)
        yield _stale(_twisted(Twist.LATE, evidence), evidence)
        yield _repeated(_twisted(Twist.REPEATED, evidence), evidence)
        yield _tables([match for match in fair if match.tables > 1], evidence)
    if not evidence.absent:
        yield _exit(evidence)
    yield _memory(evidence, conditions)
    yield _output(evidence)
    yield _sandbox(evidence)


def _twisted(twist: Twist, evidence: Evidence) -> list[Played]:
    return [match for match in evidence.played if match.twist is twist]


def _not_reached(evidence: Evidence) -> str:
    if evidence.untried:
        return "there was no time left; --full leaves nothing out"
    return "a rule was broken before"


def _bad(rule: Rule, found: str, cure: str = "") -> Verdict:
    return Verdict(rule=rule, standing=Standing.BAD, found=found, cure=cure or CURES[rule])


def _good(rule: Rule, found: str) -> Verdict:
    return Verdict(rule=rule, standing=Standing.GOOD, found=found)


def _start(evidence: Evidence, conditions: Conditions) -> Verdict:
    if evidence.absent:
        return _bad(Rule.START, evidence.absent[0])
    slowest_ms = max(evidence.joining_ns, default=0) // 1_000_000
    allowed_ms = min(stage.clock.start_ms for stage in conditions.stages)
    found = f"joined after {slowest_ms} ms at most; allowed are {allowed_ms} ms"
    if slowest_ms > NEAR * allowed_ms:
        return Verdict(
            rule=Rule.START, standing=Standing.CAREFUL, found=found, cure=CURES[Rule.START]
        )
    return _good(Rule.START, found)


def _kept(rule: Rule, fair: Sequence[Played], evidence: Evidence) -> Verdict:
    """Judge a rule by the faults and refusals that break it."""
    faults = [fault for match in fair for fault in match.faults(*_FAULTS[rule])]
    refused = [one for match in fair for one in match.rejected(*_REASONS.get(rule, ()))]
    if faults or refused:
        return _bad(rule, _told(faults, refused))
    if rule is Rule.READY:
        return _good(rule, f"ready for {counted(len(fair), 'match')}")
    if rule is Rule.STAYING:
        left = f"; no time for {', '.join(evidence.untried)}" if evidence.untried else ""
        return _good(rule, f"{counted(sum(match.boards for match in fair), 'board')}{left}")
    return _answers_kept(rule, fair)


def _answers_kept(rule: Rule, fair: Sequence[Played]) -> Verdict:
    """Judge a rule about answers of which none broke it."""
    if not any(match.think_us() for match in fair):
        return Verdict(rule=rule, standing=Standing.UNTRIED, found=_NO_ANSWER)
    if rule is Rule.CLAIMS and not any(m.ruleset.declarations or m.ruleset.signals for m in fair):
        found = "no ruleset that was played has any"
        return Verdict(rule=rule, standing=Standing.UNTRIED, found=found)
    again = [one for match in fair for one in match.rejected(Reason.ALREADY_ANSWERED)]
    if rule is Rule.MESSAGES and again:
        number = counted(len(again), "question")
        found = f"answered {number} again that had an answer; no fault, but no use"
        return Verdict(rule=rule, standing=Standing.CAREFUL, found=found, cure=CURES[rule])
    names = dict.fromkeys(match.ruleset.name for match in fair)
    return _good(rule, f"in {', '.join(names)}")


def _told(faults: Sequence[Fault], refused: Sequence[AnswerRejected]) -> str:
    """Count what was wrong by kind, and quote the first detail."""
    counts = Counter(fault.kind.value for fault in faults)
    counts += Counter(f"refused: {one.reason.value}" for one in refused)
    told = "; ".join(f"{kind} ({number})" for kind, number in counts.items())
    detail = next((fault.detail for fault in faults if fault.detail), "")
    return f"{told}: {detail}" if detail else told


def _time(fair: Sequence[Played]) -> Verdict:
    late = [fault for match in fair for fault in match.faults(F.LATE)]
    if late:
        return _bad(Rule.TIME, _told(late, ()))
    thinks = [(us, match) for match in fair for us in match.think_us()]
    if not thinks:
        return Verdict(rule=Rule.TIME, standing=Standing.UNTRIED, found=_NO_ANSWER)
    # The most for its limit: stages may have clocks of their own.
    charged_us, where = max(thinks, key=lambda think: think[0] / think[1].limit_ms)
    most_us = [us for match in fair for us in match.most_us()]
    found = (
        f"median {median(most_us) / 1000:.1f} ms, slowest {max(most_us) / 1000:.1f} ms at most; "
        f"charged {charged_us / 1000:.1f} ms at most "
        f"(in {where.ruleset.name}) of {where.limit_ms} ms, over {counted(len(thinks), 'answer')}"
    )
    near = sum(us > NEAR * match.limit_ms * 1000 for us, match in thinks)
    if near:
        of_each = {match.limit_ms for match in fair}
        above = f"{NEAR * where.limit_ms:.0f} ms" if len(of_each) == 1 else f"{NEAR:.0%} of it"
        found += f", {near} of them above {above}"
        return Verdict(
            rule=Rule.TIME, standing=Standing.CAREFUL, found=found, cure=CURES[Rule.TIME]
        )
    return _good(Rule.TIME, found)


def _stale(tight: Sequence[Played], evidence: Evidence) -> Verdict:
    """Judge how a bot takes it that a decision was over before its answer came."""
    stale = sum(len(match.rejected(Reason.STALE)) for match in tight)
    if wrong := _wrong(tight):
        return _bad(Rule.STALE, f"with {counted(stale, 'answer')} too late: {_told(wrong, ())}")
    if not tight:
        return Verdict(rule=Rule.STALE, standing=Standing.UNTRIED, found=_not_reached(evidence))
    late = sum(len(match.faults(F.LATE)) for match in tight)
    if not late or not stale:
        found = f"{counted(late, 'question')} it was too late for, {counted(stale, 'late answer')}"
        return Verdict(rule=Rule.STALE, standing=Standing.UNTRIED, found=found)
    return _good(
        Rule.STALE, f"went on after {counted(late, 'question')} it was too late for; {stale} stale"
    )


def _repeated(twice: Sequence[Played], evidence: Evidence) -> Verdict:
    """Judge how a bot takes a question that it was asked before."""
    if not twice:
        return Verdict(rule=Rule.REPEATED, standing=Standing.UNTRIED, found=_not_reached(evidence))
    if wrong := _wrong(twice):
        return _bad(Rule.REPEATED, _told(wrong, ()))
    asked = sum(len(match.think_us()) for match in twice)
    again = sum(len(match.rejected(Reason.ALREADY_ANSWERED)) for match in twice)
    changed = f"; answered {again} of them otherwise the second time, which is refused"
    return _good(Rule.REPEATED, f"went on after {asked}{changed if again else ''}")


def _wrong(matches: Sequence[Played]) -> list[Fault]:
    """List what a match with a twist shows of faults; claims may be late in it."""
    return [
        fault
        for match in matches
        for rule, kinds in _FAULTS.items()
        if rule is not Rule.CLAIMS
        for fault in match.faults(*kinds)
    ]


def _tables(many: Sequence[Played], evidence: Evidence) -> Verdict:
    if not many and evidence.joined_capacity < evidence.capacity:
        return Verdict(
            rule=Rule.TABLES,
            standing=Standing.CAREFUL,
            found=f"bot.toml says capacity = {evidence.capacity}, its Join says "
            f"{evidence.joined_capacity}: the smaller number counts",
            cure="name the same number in bot.toml and in Join; on the kit, in the class",
        )
    if not many:
        alone = "it plays one table at a time (capacity = 1)"
        found = alone if evidence.capacity == 1 else _not_reached(evidence)
        return Verdict(rule=Rule.TABLES, standing=Standing.UNTRIED, found=found)
    wrong = [f for match in many for kinds in _FAULTS.values() for f in match.faults(*kinds)]
    if wrong:
        return _bad(Rule.TABLES, _told(wrong, ()))
    return _good(Rule.TABLES, f"{many[0].tables} at once")


def _exit(evidence: Evidence) -> Verdict:
    wrong = [ended for ended in evidence.goodbyes if ended.is_ours or not ended.is_success]
    if wrong:
        # It may end well and yet only because it was told to.
        told = f"did not end by itself after Goodbye; told to end, it {wrong[0].text}"
        return _bad(Rule.EXIT, evidence.last_words or told)
    if not evidence.goodbyes:
        found = "no process stayed until Goodbye"
        return Verdict(rule=Rule.EXIT, standing=Standing.UNTRIED, found=found)
    ended = counted(len(evidence.goodbyes), "process")
    return _good(Rule.EXIT, f"{ended}, each with status 0")


def _memory(evidence: Evidence, conditions: Conditions) -> Verdict:
    exits = evidence.exits
    if any(ended.memory_kills for ended in exits):
        bounds = " or ".join(
            dict.fromkeys(str(stage.resources.memory_mib) for stage in conditions.stages)
        )
        return _bad(Rule.MEMORY, f"needed more than {bounds} MiB and was ended for it")
    # The most for its bound: stages may have resources of their own.
    peak, allowed = max(
        evidence.peaks, key=lambda one: (one[0] / one[1] if one[1] else 0, one[0]), default=(0, 0)
    )
    if not peak:
        return Verdict(rule=Rule.MEMORY, standing=Standing.UNTRIED, found="nobody measured it")
    found = f"{peak} MiB at most; allowed are {allowed or 'any'} MiB"
    refusals = sum(ended.task_refusals for ended in exits)
    if refusals:
        return _bad(
            Rule.MEMORY,
            f"asked {counted(refusals, 'time')} for more processes or threads than the "
            f"{min(stage.resources.tasks for stage in conditions.stages)} allowed",
            "start fewer threads; one core is what it has",
        )
    if allowed and peak > NEAR * allowed:
        return Verdict(
            rule=Rule.MEMORY, standing=Standing.CAREFUL, found=found, cure=CURES[Rule.MEMORY]
        )
    return _good(Rule.MEMORY, found)


def _output(evidence: Evidence) -> Verdict:
    size = evidence.output_bytes
    if size >= MOST_OUTPUT_BYTES:
        found = f"more than {MOST_OUTPUT_BYTES // 1024} KiB in one process"
        return Verdict(
            rule=Rule.OUTPUT, standing=Standing.CAREFUL, found=found, cure=CURES[Rule.OUTPUT]
        )
    return _good(Rule.OUTPUT, f"{size} bytes at most in one process")


def _sandbox(evidence: Evidence) -> Verdict:
    if evidence.guards:
        return _good(Rule.SANDBOX, f"on: {', '.join(evidence.guards)}")
    return Verdict(
        rule=Rule.SANDBOX,
        standing=Standing.UNTRIED,
        found="none surrounded the bot here",
        cure=CURES[Rule.SANDBOX],
    )
