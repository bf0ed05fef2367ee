"""Skills as ordinary Python programs, which speak the protocol yield.v1 with their supervisor.

A program is run from the top each time. Operations that were answered before return their answers; the first
that was not is printed, and the program stops there. So everything between two operations has to be
deterministic: clocks, randomness, files and the network are asked for through operations.

The standard library is all it needs. Copy this file beside your program:

    from skillprogram import define_skill

    def program(ctx):
        name = ctx.ask_user("name", "Who is it for?")
        return {"name": name}

    if __name__ == "__main__":
        define_skill(program)
"""

import dataclasses
import hashlib
import inspect
import json
import os
import sys

PROTOCOL = "yield.v1"


class _Stopped(BaseException):
    """The output of this run is decided. No Exception, so that a program's own handlers do not keep it."""


class _Unusable(Exception):
    """With what it was started, this program cannot run at all."""


@dataclasses.dataclass(frozen=True)
class CommandResult:
    """What a command did, as the supervisor observed it."""

    exit_code: int = 0
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    #: Where the whole output lies when the text above is a part of it: a dict with ref, bytes and sha256.
    stdout_ref: object = None
    stderr_ref: object = None


class Context:
    """The operations of one run. Each of them may end the run of the program at once."""

    def __init__(self, journal):
        self._run_id = journal["run_id"]
        self._skill = journal["skill"]
        self._entries = journal.get("entries") or []
        self._answered = 0
        self._requirements = []
        self._output = None
        #: The input of the run: None when there is none.
        self.input = journal.get("input")

    def ask_user(self, id, question, options=None):
        """Asks a person. With options ({"value", "label"?}) the answer is one of their values."""
        payload = {"question": question}
        value = {"type": "string"}
        if options:
            payload["options"] = list(options)
            value["enum"] = [option["value"] for option in options]
        schema = {
            "type": "object",
            "required": ["value"],
            "additionalProperties": False,
            "properties": {"value": value},
        }
        return self._operation(id, "ask_user", payload, schema)["value"]

    def agent_task(self, id, instruction, context=None, schema=None):
        """Has an agent think. The answer fits the JSON Schema."""
        payload = {"instruction": instruction}
        if context is not None:
            payload["context"] = context
        return self._operation(id, "agent_task", payload, schema)

    def run_command(self, id, command, timeout_seconds=0):
        """Has the supervisor run a shell command in the folder of the skill. 0: its own limit of time."""
        payload = {"command": command}
        if timeout_seconds > 0:
            payload["timeout_seconds"] = timeout_seconds
        result = self._operation(id, "run_command", payload, None)
        fields = {field.name for field in dataclasses.fields(CommandResult)}
        return CommandResult(**{key: value for key, value in result.items() if key in fields})

    def require(self, ok, claim, evidence=None):
        """Binds a claim to evidence. One that does not hold ends the run: no result gets past it."""
        self._go_on()
        requirement = {"claim": claim, "passed": bool(ok)}
        if evidence is not None:
            requirement["evidence_digest"] = _sha256(_compact(evidence))
        self._requirements.append(requirement)
        if not ok:
            self._end("requirement_failed", reason=claim)

    def refused(self, reason):
        """Ends the run: it was decided not to do this."""
        self._end("refused", reason=reason)

    def blocked(self, reason):
        """Ends the run: it cannot go on, and says what is in the way."""
        self._end("blocked", reason=reason)

    def complete(self, result=None):
        """Ends the run with its result, as returning it from the program does."""
        self._end("completed", result=result)

    def _operation(self, id, kind, payload, schema):
        self._go_on()
        request = {"id": id, "kind": kind, "payload": payload}
        if schema is not None:
            request["output_schema"] = schema
        self._answered += 1
        if self._answered > len(self._entries):
            envelope = {"protocol": PROTOCOL, "run_id": self._run_id, "skill": self._skill}
            envelope |= {"sequence": self._answered, "request": request}
            self._stop({"type": "request", "envelope": envelope, "requirements": self._requirements})
        entry = self._entries[self._answered - 1]
        recorded = entry["request"]
        if _request_digest(recorded) != _request_digest(request):
            self._diverge(recorded, request)
        return entry["response"]["result"]

    def _diverge(self, recorded, request):
        detail = 'replay produced operation "{}" ({}) where the journal recorded "{}" ({})'.format(
            request["id"], request["kind"], recorded["id"], recorded["kind"]
        )
        divergence = {
            "sequence": self._answered,
            "expected_digest": _request_digest(recorded),
            "got_digest": _request_digest(request),
            "detail": detail,
        }
        self._stop({"type": "diverged", "divergence": divergence})

    def _end(self, status, **outcome):
        self._go_on()
        terminal = {"status": status, **outcome}
        self._stop({"type": "terminal", "terminal": terminal, "requirements": self._requirements})

    def _stop(self, output):
        # Printable is decided here, where a result that is no JSON is still an error of the program.
        self._output = _compact(output)
        raise _Stopped

    def _go_on(self):
        # A program that caught the signal must not get any further: what was decided first holds.
        if self._output is not None:
            raise _Stopped


def define_skill(program):
    """Runs `program(ctx)` against the journal, and prints the one document that it came to."""
    # Whatever the program prints from here on, or a library of it, would spoil that document: it goes to stderr.
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "w", encoding="ascii") as supervisor:
        os.dup2(2, 1)
        try:
            _check_identity()
            ctx = Context(_read_journal())
        except _Unusable as problem:
            print(f"skillprogram: {problem}", file=sys.stderr)
            sys.exit(2)
        if inspect.iscoroutinefunction(program):
            raise TypeError("the program is async: write it without async and await, operations give their answers at once")
        try:
            ctx._end("completed", result=program(ctx))
        except BaseException:
            if ctx._output is None:
                raise
        supervisor.write(ctx._output + "\n")


def _check_identity():
    try:
        with open("skill.json", encoding="utf-8") as file:
            manifest = json.load(file)
    except (OSError, ValueError):
        return
    if not isinstance(manifest, dict) or manifest.get("version") != 1:
        return
    pinned = manifest.get("yield_version")
    supervisor = os.environ.get("YIELD_SUPERVISOR_VERSION")
    if not pinned or pinned != supervisor:
        raise _Unusable(
            f"skill.json wants version {pinned or 'missing'} of the protocol's tools, "
            f"and the supervisor is of version {supervisor or 'missing'}"
        )


def _read_journal():
    path = os.environ.get("YIELD_JOURNAL")
    if not path:
        raise _Unusable("YIELD_JOURNAL is not set: this program is run by a supervisor (skillyard program run)")
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as problem:
        raise _Unusable(f"cannot read the journal: {problem}") from problem


def _request_digest(request):
    values = [_compact_or_empty(request, key) for key in ("payload", "output_schema")]
    return _sha256("\0".join([request["kind"], request["id"], *values]))


def _compact_or_empty(request, key):
    value = request.get(key)
    return "" if value is None else _compact(value)


def _compact(value):
    return json.dumps(value, separators=(",", ":"), allow_nan=False, default=_fields_that_are_there)


def _fields_that_are_there(value):
    if not isinstance(value, CommandResult):
        raise TypeError(f"no JSON: {value!r}")
    return {key: field for key, field in dataclasses.asdict(value).items() if field is not None}


def _sha256(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
