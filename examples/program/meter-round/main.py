"""Bills the water of an allotment garden from the sheets of its meters."""

import re

from skillprogram import define_skill

#: Cubic metres that a plot uses in a year when nothing is the matter.
USUAL = 30

JUDGEMENT = {
    "type": "object",
    "required": ["cause", "why"],
    "additionalProperties": False,
    "properties": {
        "cause": {"enum": ["misread", "leak", "dry summer"]},
        "why": {"type": "string", "minLength": 1},
    },
}


def program(ctx):
    cents = int((ctx.input or {}).get("cents_per_m3", 210))
    sheets = ctx.run_command("sheets", "ls meters", 10)
    ctx.require(sheets.exit_code == 0, "the sheets of the meters are there", sheets)
    # Only names of this form get into the commands below.
    plots = re.findall(r"^(plot-\d+)\.csv$", sheets.stdout, re.MULTILINE)

    used = {plot: usage(ctx, plot) for plot in plots}
    before, now = readings(ctx, "main")
    measured = {"main": now - before, "plots": used}
    ctx.require(sum(used.values()) <= now - before, "the plots used no more than the main meter let through", measured)

    bills = {plot: volume * cents for plot, volume in used.items()}
    question = f"Send {len(bills)} bills for {sum(used.values())} m³, {sum(bills.values()) / 100:.2f} € in all?"
    if ctx.ask_user("send", question, [{"value": "yes"}, {"value": "no", "label": "Not yet"}]) == "no":
        ctx.refused("the treasurer sends no bills yet")
    return {"cents": bills, "lost_m3": now - before - sum(used.values())}


def usage(ctx, plot):
    """What a plot used, in cubic metres. A number that is odd is looked into before anybody has to pay for it."""
    before, now = readings(ctx, plot)
    if 0 <= now - before <= USUAL:
        return now - before
    numbers = {"plot": plot, "before": before, "now": now, "usual": USUAL}
    verdict = ctx.agent_task(f"judge-{plot}", "Say why this meter may show what it shows.", numbers, JUDGEMENT)
    if verdict["cause"] == "leak":
        ctx.blocked(f"{plot} seems to have a leak: {verdict['why']}")
    if verdict["cause"] == "misread":
        now = reread(ctx, plot, before, now)
    ctx.require(now >= before, f"the meter of {plot} ran forwards", {"before": before, "now": now})
    return now - before


def reread(ctx, plot, before, now):
    """The number that a person reads from the meter. Whoever answers gets three tries to give one."""
    for attempt in range(1, 4):
        question = f"The sheet of {plot} says {now} m³, after {before}. What does the meter show?"
        answer = ctx.ask_user(f"reread-{plot}-{attempt}", question)
        if re.fullmatch(r"[0-9]{1,9}", answer.strip()):
            return int(answer)
    return ctx.blocked(f"nobody can say what the meter of {plot} shows")


def readings(ctx, meter):
    """The last two readings of a meter."""
    sheet = ctx.run_command(f"read-{meter}", f"tail -n 2 meters/{meter}.csv", 10)
    values = re.findall(r",([0-9]{1,9})$", sheet.stdout, re.MULTILINE)
    if len(values) != 2:
        ctx.blocked(f"the sheet of {meter} has no two readings")
    return [int(value) for value in values]


if __name__ == "__main__":
    define_skill(program)
