import { quoted } from '@skillyard/engine';
import { isGiven } from '../given.ts';
import { schemaSteps } from '../response-schemas.ts';
import { hasType, schemaNodes, type SchemaNode } from '../schema-nodes.ts';
import { type FlowCheck, stepPosition } from '../subject.ts';

const BOUNDS = ['enum', 'const', 'format', 'maxLength'] as const;

/**
 * W13: a free text without a bound. Inside lists every string is one, since a list multiplies it; elsewhere only the
 * name of a field says whether it is free text.
 */
export const checkW13: FlowCheck = ({ steps, options }, report) => {
  const fragments = (options.freeTextFields ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
  const isFree = ({ name, inArray }: SchemaNode): boolean =>
    inArray || fragments.some((fragment) => name.toLowerCase().includes(fragment));
  for (const { placed, schema } of schemaSteps(steps)) {
    if (!isGiven(fragments)) report.skip('free_text_fields');
    for (const node of schemaNodes(schema)) {
      if (!hasType(node.schema, 'string') || BOUNDS.some((key) => Object.hasOwn(node.schema, key))) continue;
      if (!isFree(node)) continue;
      report.add({
        position: stepPosition(placed.step, 'response_schema'),
        step: placed.place,
        message: `${placed.label}: the text ${quoted(node.path)} in the response schema may be of any length.`,
        hint: 'Give it a `maxLength`, or an `enum` of what it may be.',
      });
    }
  }
};
