import { stringsIn, trimSpace, type Step, writtenVariables, quoted } from '@skillyard/engine';
import { callTarget } from '../call-target.ts';
import type { Severity } from '../finding.ts';
import { isGiven } from '../given.ts';
import type { Envelope } from '../lint-options.ts';
import { type FlowCheck, type PlacedStep, stepPosition, walkFlow } from '../subject.ts';

/** A variable in braces, as the rule knows it: without blanks. */
const WHOLE = /\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}/g;

/**
 * W8: a result in an envelope that is used whole. In document order: what writes the variable last decides whether
 * there is an envelope around it.
 */
export const checkW8: FlowCheck = ({ workflow, options }, report) => {
  if (!isGiven(options.envelopes)) return;
  const envelopes = new Map(options.envelopes.map((envelope) => [envelope.server, envelope]));
  const wrapped = new Map<string, Envelope>();

  const enter = ({ step, place, label }: PlacedStep): void => {
    for (const { name, key, how, severity } of wholeUses(step)) {
      const envelope = wrapped.get(name);
      if (envelope === undefined) continue;
      report.add({
        position: stepPosition(step, key),
        step: place,
        severity,
        message: `${label} ${how} ${quoted(name)} whole, with the envelope (${envelope.fields.join(', ')}) of the server ${quoted(envelope.server)} around it.`,
        hint: `Write ${name}.${envelope.payload}.`,
      });
    }
    if (step.kind === 'for_each') wrapped.delete(step.as);
  };
  const leave = ({ step }: PlacedStep): void => {
    for (const variable of writtenVariables(step)) wrapped.delete(variable);
    const envelope = step.kind === 'call' ? envelopes.get(callTarget(step)?.server ?? '') : undefined;
    if (envelope !== undefined && step.saveAs !== '') wrapped.set(step.saveAs, envelope);
  };
  walkFlow(workflow.steps, { enter, leave });
};

interface WholeUse {
  readonly name: string;
  readonly key: string;
  /** What the step does with it, as a message says it. */
  readonly how: string;
  readonly severity: Severity;
}

/** The variables that a step uses whole, where that matters; each once. */
function wholeUses(step: Step): readonly WholeUse[] {
  switch (step.kind) {
    case 'for_each':
      return [{ name: trimSpace(step.in), key: 'for_each.in', how: 'walks', severity: 'error' }];
    case 'call':
      return namesIn(stringsIn(step.args)).map((name) => ({
        name,
        key: 'call.args',
        how: 'passes',
        severity: 'error',
      }));
    case 'instruction':
      return namesIn([step.instruction]).map((name) => ({
        name,
        key: 'instruction',
        how: 'shows a model',
        severity: 'warning',
      }));
    default:
      return [];
  }
}

function namesIn(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(WHOLE)].map(([, name = '']) => name)))];
}
