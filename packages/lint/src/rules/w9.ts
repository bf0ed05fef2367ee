import { quoted } from '@skillyard/engine';
import { listed } from '../listed.ts';
import { schemaSteps } from '../response-schemas.ts';
import { propertiesOf, requiredOf, schemaNodes } from '../schema-nodes.ts';
import { type FlowCheck, type FlowSubject, stepPosition } from '../subject.ts';

/** W9: an object of a response schema that requires nothing. The top one may, if a condition asks whether it is empty. */
export const checkW9: FlowCheck = ({ steps, conditions }, report) => {
  const asked = askedForEmptiness(conditions);
  for (const { placed, schema, variable } of schemaSteps(steps)) {
    for (const node of schemaNodes(schema)) {
      const fields = propertiesOf(node.schema);
      if (fields.length === 0 || requiredOf(node.schema).length > 0) continue;
      if (node.schema === schema && asked.has(variable)) continue;
      const what = node.path === '' ? 'the response schema' : `${quoted(node.path)} in the response schema`;
      report.add({
        position: stepPosition(placed.step, 'response_schema'),
        step: placed.place,
        message: `${placed.label}: ${what} requires none of its fields (${listed(fields)}).`,
        hint: `Write required: [${listed(fields)}], with those that every answer has.${node.schema === schema ? ` Or write a step for the case \`${variable} is empty\`.` : ''}`,
      });
    }
  }
};

/** The variables that some condition asks to be empty. */
function askedForEmptiness(conditions: FlowSubject['conditions']): ReadonlySet<string> {
  const all = [...conditions.values()].flat();
  return new Set(
    all.flatMap(({ condition }) =>
      condition.form === 'empty' && !condition.negated ? [condition.left.base] : [],
    ),
  );
}
