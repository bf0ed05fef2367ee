import { SkillyardError } from '@skillyard/contracts';
import { RULES } from '@skillyard/lint';
import type { Command } from 'commander';
import { HANDBOOK_INDEX, HANDBOOK_PAGES } from '../handbook/pages.generated.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Attach } from './context.ts';

/** `skillyard handbook`: how skills go wrong, and forms to copy. */
export function addHandbook(program: Command, attach: Attach): void {
  const command = program
    .command('handbook')
    .summary('print the handbook: how skills go wrong, and forms to copy')
    .description(
      'Prints a page of the handbook, or its index: forms of skills to copy, what goes wrong without them, and the lint rules that point there.',
    )
    .argument('[topic]', 'a page, or the id of a lint rule such as W6');
  attach(command, async ({ terminal }, [wanted]) => {
    if (wanted === undefined) {
      if (terminal.json)
        terminal.document({ topics: HANDBOOK_PAGES.map(({ topic, title }) => summaryOf(topic, title)) });
      else terminal.out(HANDBOOK_INDEX);
      return EXIT.completed;
    }
    const page = findPage(wanted);
    if (terminal.json) terminal.document({ ...summaryOf(page.topic, page.title), text: page.text });
    else terminal.out(page.text);
    return EXIT.completed;
  });
}

function summaryOf(topic: string, title: string): object {
  return { topic, title, rules: RULES.filter((rule) => rule.topic === topic).map(({ id }) => id) };
}

/** A page by its topic, or by a rule that points to it: that is what a reader has who comes from a report. */
function findPage(wanted: string): (typeof HANDBOOK_PAGES)[number] {
  const word = wanted.toLowerCase();
  const topic = RULES.find(({ id }) => id.toLowerCase() === word)?.topic ?? word;
  const page = HANDBOOK_PAGES.find((one) => one.topic === topic);
  if (page !== undefined) return page;
  const topics = HANDBOOK_PAGES.map((one) => one.topic).join(', ');
  throw new SkillyardError('INPUT_INVALID', `the handbook has no page "${wanted}"; write one of: ${topics}`);
}
