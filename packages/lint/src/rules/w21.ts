import type { JsonObject } from '@skillyard/contracts';
import { quoted } from '@skillyard/engine';
import { listed } from '../listed.ts';
import { hasType, propertiesOf } from '../schema-nodes.ts';
import { type FlowCheck, type PlacedStep, stepPosition, walkFlow } from '../subject.ts';

/** What the engine and hosts put beside a variable, under its name. */
const SUFFIXES = new Set(['mem', 'skipped', 'failed']);
/** With one of these a schema does not say by `properties` alone which fields there are. */
const ELSEWHERE = ['$ref', 'anyOf', 'oneOf', 'allOf', 'patternProperties'] as const;

/**
 * W21: the first field that is read from a variable is missing from the schema of the answer it was last saved with.
 * Indexes are ignored; a later save without a schema changes nothing.
 */
export const checkW21: FlowCheck = ({ workflow, reads }, report) => {
  const schemas = new Map<string, ReadonlySet<string> | null>();
  const written = new Set<string>();

  const enter = ({ step, place, label }: PlacedStep): void => {
    if (report.isFull()) return;
    for (const { reference, spelling, key } of reads.get(step) ?? []) {
      const fields = schemas.get(reference.base);
      const field = reference.path.find((one) => typeof one === 'string');
      if (!fields || field === undefined || fields.has(field) || SUFFIXES.has(field)) continue;
      if (written.has(reference.text)) continue;
      report.add({
        position: stepPosition(step, key),
        step: place,
        message: `${label} reads ${spelling}, and the response schema of ${quoted(reference.base)} has no field ${quoted(field)}.`,
        hint: `Read one that it has: ${listed(fields)}. Or add ${quoted(field)} to the schema.`,
      });
    }
  };
  const leave = ({ step }: PlacedStep): void => {
    if (step.kind === 'set') written.add(step.variable);
    if (step.kind !== 'instruction' || step.responseSchema === null) return;
    schemas.set(step.saveAs || 'answer', expectedFields(step.responseSchema));
  };
  walkFlow(workflow.steps, { enter, leave });
};

/** The fields that an answer may have; null when the schema does not say. */
function expectedFields(schema: JsonObject): ReadonlySet<string> | null {
  const fields = propertiesOf(schema);
  if (!hasType(schema, 'object') || fields.length === 0) return null;
  return ELSEWHERE.some((key) => Object.hasOwn(schema, key)) ? null : new Set(fields);
}
