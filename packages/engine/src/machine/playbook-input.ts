import { parseReference } from '../flow/reference.ts';
import type { Template } from '../flow/template.ts';
import { isBlank } from '../flow/white-space.ts';

/** The variable that holds the request: it is shown first, and without its name. */
const REQUEST = 'input';
/** Endpoints refuse a message without text. */
const NO_INPUT = 'There is no input.';

/**
 * What a playbook is asked: the request, then every other variable with its name, in the order of the names, so that the
 * same turn always asks the same.
 */
export function playbookInput(vars: Readonly<Record<string, string>>): Template {
  const named = Object.keys(vars).filter((name) => !isBlank(vars[name] ?? ''));
  const others = named.filter((name) => name !== REQUEST).toSorted(byName);
  const parts = named.includes(REQUEST) ? [valueOf(REQUEST, vars)] : [];
  for (const name of others) parts.push(`${parts.length === 0 ? '' : '\n\n'}${name}: `, valueOf(name, vars));
  return { source: '', parts: parts.length === 0 ? [NO_INPUT] : parts };
}

/** A value is looked up as that of any other step, where its name allows it. */
function valueOf(name: string, vars: Readonly<Record<string, string>>): Template['parts'][number] {
  const ref = parseReference(name);
  return ref === undefined ? (vars[name] ?? '') : { ref };
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}
