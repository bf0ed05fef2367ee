import { quoted } from './quoted.ts';

/**
 * A place inside a skill file, as a path from its root: `workflow.steps[1].call.args`.
 * A linked list, because almost none of them is ever written out.
 */
export interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
  /** The step it lies in, by name or by index path; empty outside of steps. */
  readonly step: string;
  /** How messages name that step. */
  readonly label: string;
}

export const ROOT: Place = { parent: null, key: '', step: '', label: '' };

/** The place of a key or an index below another place. */
export function below(parent: Place, key: string | number): Place {
  return { parent, key, step: parent.step, label: parent.label };
}

/** The path written out. */
export function pathOf(place: Place): string {
  const parts: string[] = [];
  for (let at = place; at.parent !== null; at = at.parent) {
    if (typeof at.key === 'number') parts.push(`[${at.key}]`);
    else parts.push(at.parent.parent === null ? at.key : `.${at.key}`);
  }
  return parts.toReversed().join('');
}

/** The place of a step, which messages about anything inside it name: by its name, or else by its index path. */
export function atStep(place: Place, name: string): Place {
  if (name !== '') return { ...place, step: name, label: `step ${quoted(name)}` };
  const path = pathOf(place);
  return { ...place, step: path, label: `the step at \`${path}\`` };
}
