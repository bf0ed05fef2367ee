import { isBlank, namesAny, soughtWord, quoted } from '@skillyard/engine';
import { fieldMentions } from '../field-mentions.ts';
import { isGiven } from '../given.ts';
import { schemaSteps } from '../response-schemas.ts';
import { schemaNodes } from '../schema-nodes.ts';
import { type FlowCheck, stepPosition } from '../subject.ts';

/** W16: a required field whose description, or whose mention in the instruction, allows it to be empty. */
export const checkW16: FlowCheck = ({ steps, options }, report) => {
  const looked = schemaSteps(steps);
  if (looked.length === 0) return;
  const words = (options.emptyWords ?? []).filter((word) => !isBlank(word)).map((word) => soughtWord(word));
  if (!isGiven(words)) {
    report.skip('empty_words');
    return;
  }
  for (const { placed, schema } of looked) {
    const nodes = schemaNodes(schema);
    const mentions = fieldMentions(placed.step.instruction, new Set(nodes.map(({ name }) => name)));
    for (const { schema: field, name, path, required } of nodes) {
      if (!required) continue;
      const { description } = field;
      const isAllowed = (text: unknown): boolean => typeof text === 'string' && namesAny(text, words);
      const byDescription = isAllowed(description);
      if (!byDescription && !isAllowed(mentions.get(name))) continue;
      report.add({
        position: stepPosition(placed.step, 'response_schema'),
        step: placed.place,
        message: `${placed.label}: the field ${quoted(path)} is required, and ${byDescription ? 'its description' : 'the instruction'} allows it to be empty.`,
        hint: `Take ${quoted(name)} out of \`required\`, or say what to write when nothing is known.`,
      });
    }
  }
};
