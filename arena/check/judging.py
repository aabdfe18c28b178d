"""From what was seen of a bot to a verdict for each rule.

Owns the thresholds and the words. Must not play.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from arena.check.conditions import Conditions
from arena.check.evidence import Evidence, Played, Twist
from arena.check.rule import CURES, Rule, Standing, Verdict
from arena.referee.events import AnswerRejected, Fault
from arena.referee.faults import FaultKind as F
from arena.referee.faults import Reason

NEAR: Final = 0.8
"""From this share of a limit on, a bot is told to be careful."""
MOST_OUTPUT_BYTES: Final = 2 * 64 * 1024
"""What is kept whole of a process's output."""
_NOT_REACHED: Final = "a rule was broken before, or there was no time left"

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
        yield _time(fair, conditions)
        yield _stale([match for match in evidence.played if match.twist is Twist.LATE])
        yield _repeated([match for match in evidence.played if match.twist is Twist.REPEATED])
        yield _tables([match for match in fair if match.tables > 1], evidence.capacity)
    if not evidence.absent:
        yield _exit(evidence)
    yield _memory(evidence, conditions)
    yield _output(evidence)
    yield _sandbox(evidence)


def _bad(rule: Rule, found: str, cure: str = "") -> Verdict:
    return Verdict(rule=rule, standing=Standing.BAD, found=found, cure=cure or CURES[rule])


def _good(rule: Rule, found: str) -> Verdict:
    return Verdict(rule=rule, standing=Standing.GOOD, found=found)


def _start(evidence: Evidence, conditions: Conditions) -> Verdict:
    if evidence.absent:
        return _bad(Rule.START, evidence.absent[0])
    slowest_ms = max(evidence.joining_ns, default=0) // 1_000_000
    allowed_ms = conditions.clock.start_ms
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
    if rule is Rule.CLAIMS and not any(m.ruleset.declarations or m.ruleset.signals for m in fair):
        found = "no ruleset that was played has any"
        return Verdict(rule=rule, standing=Standing.UNTRIED, found=found)
    again = [one for match in fair for one in match.rejected(Reason.ALREADY_ANSWERED)]
    if rule is Rule.MESSAGES and again:
        found = f"answered {len(again)} questions again that were answered; no fault, but no use"
        return Verdict(rule=rule, standing=Standing.CAREFUL, found=found, cure=CURES[rule])
    if rule is Rule.READY:
        return _good(rule, f"ready for {len(fair)} matches")
    if rule is Rule.STAYING:
        left = f"; no time for {', '.join(evidence.untried)}" if evidence.untried else ""
        return _good(rule, f"{sum(match.boards for match in fair)} boards{left}")
    names = dict.fromkeys(match.ruleset.name for match in fair)
    return _good(rule, f"in {', '.join(names)}")


def _told(faults: Sequence[Fault], refused: Sequence[AnswerRejected]) -> str:
    """Count what was wrong by kind, and quote the first detail."""
    counts = Counter(fault.kind.value for fault in faults)
    counts += Counter(f"refused: {one.reason.value}" for one in refused)
    told = "; ".join(f"{kind} ({number})" for kind, number in counts.items())
    detail = next((fault.detail for fault in faults if fault.detail), "")
    return f"{told}: {detail}" if detail else told


def _time(fair: Sequence[Played], conditions: Conditions) -> Verdict:
    late = [fault for match in fair for fault in match.faults(F.LATE)]
    if late:
        return _bad(Rule.TIME, _told(late, ()))
    thinks = sorted((us, match.ruleset.name) for match in fair for us in match.think_us())
    if not thinks:
        return Verdict(rule=Rule.TIME, standing=Standing.UNTRIED, found="it answered nothing")
    limit_ms = conditions.clock.limit_ms
    slowest_us, where = thinks[-1]
    most = sorted(us for match in fair for us in match.most_us())
    found = (
        f"median at most {most[len(most) // 2] / 1000:.1f} ms, slowest {slowest_us / 1000:.1f} ms "
        f"(in {where}) of {limit_ms} ms, over {len(thinks)} answers"
    )
    near = sum(us > NEAR * limit_ms * 1000 for us, _ in thinks)
    if near:
        found += f", {near} of them above {NEAR * limit_ms:.0f} ms"
        return Verdict(
            rule=Rule.TIME, standing=Standing.CAREFUL, found=found, cure=CURES[Rule.TIME]
        )
    return _good(Rule.TIME, found)


def _stale(tight: Sequence[Played]) -> Verdict:
    """Judge how a bot takes it that a decision was over before its answer came."""
    stale = sum(len(match.rejected(Reason.STALE)) for match in tight)
    if wrong := _wrong(tight):
        return _bad(Rule.STALE, f"with {stale} answers too late: {_told(wrong, ())}")
    if not tight:
        return Verdict(rule=Rule.STALE, standing=Standing.UNTRIED, found=_NOT_REACHED)
    late = sum(len(match.faults(F.LATE)) for match in tight)
    if not late or not stale:
        found = f"{late} questions it was too late for, {stale} late answers"
        return Verdict(rule=Rule.STALE, standing=Standing.UNTRIED, found=found)
    return _good(Rule.STALE, f"went on after {late} questions it was too late for; {stale} stale")


def _repeated(twice: Sequence[Played]) -> Verdict:
    """Judge how a bot takes a question that it was asked before."""
    if not twice:
        return Verdict(rule=Rule.REPEATED, standing=Standing.UNTRIED, found=_NOT_REACHED)
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


def _tables(many: Sequence[Played], capacity: int) -> Verdict:
    if not many:
        alone = "it plays one table at a time (capacity = 1)"
        found = alone if capacity == 1 else _NOT_REACHED
        return Verdict(rule=Rule.TABLES, standing=Standing.UNTRIED, found=found)
    wrong = [f for match in many for kinds in _FAULTS.values() for f in match.faults(*kinds)]
    if wrong:
        return _bad(Rule.TABLES, _told(wrong, ()))
    return _good(Rule.TABLES, f"{many[0].tables} at once")


def _exit(evidence: Evidence) -> Verdict:
    wrong = [ended for ended in evidence.goodbyes if ended.is_ours or not ended.is_success]
    if wrong:
        return _bad(Rule.EXIT, evidence.last_words or wrong[0].text)
    if not evidence.goodbyes:
        found = "no process stayed until Goodbye"
        return Verdict(rule=Rule.EXIT, standing=Standing.UNTRIED, found=found)
    return _good(Rule.EXIT, f"{len(evidence.goodbyes)} processes, each with status 0")


def _memory(evidence: Evidence, conditions: Conditions) -> Verdict:
    exits = evidence.exits
    allowed = conditions.resources.memory_mib
    if any(ended.memory_kills for ended in exits):
        return _bad(Rule.MEMORY, f"needed more than {allowed} MiB and was ended for it")
    peak = evidence.peak_kib // 1024
    if not peak:
        return Verdict(rule=Rule.MEMORY, standing=Standing.UNTRIED, found="nobody measured it")
    found = f"{peak} MiB at most; allowed are {allowed or 'any'} MiB"
    refusals = sum(ended.task_refusals for ended in exits)
    if refusals:
        return _bad(
            Rule.MEMORY,
            f"asked {refusals} times for more processes or threads than the "
            f"{conditions.resources.tasks} allowed",
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
