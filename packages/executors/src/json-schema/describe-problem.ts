import type { ErrorObject } from 'ajv';
import { nearNames } from '../near-names.ts';

const LONGEST_VALUE = 60;

/** One problem of a value with its schema, for a person: which part, what is wanted, what is there. */
export function describeProblem(error: ErrorObject): string {
  const place = placeOf(error.instancePath);
  const params = error.params as Record<string, unknown>;
  const inside = place === '' ? '' : ` in ${place}`;
  switch (error.keyword) {
    case 'required':
      return `"${String(params['missingProperty'])}" is missing${inside}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownName(
        error,
        String(params['additionalProperty'] ?? params['unevaluatedProperty']),
        inside,
      );
    case 'type':
      return `${subject(place)} must be ${wantedTypes(params['type'])}, not ${shown(error.data)}`;
    case 'enum': {
      const allowed = (params['allowedValues'] as unknown[]).map(shown).join(', ');
      return `${subject(place)} must be one of ${allowed}, not ${shown(error.data)}`;
    }
    case 'const':
      return `${subject(place)} must be ${shown(params['allowedValue'])}, not ${shown(error.data)}`;
    default:
      return `${subject(place)} ${error.message ?? 'does not fit'}, and it is ${shown(error.data)}`;
  }
}

const subject = (place: string): string => (place === '' ? 'the whole value' : `"${place}"`);

function wantedTypes(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : [String(type)];
  return types.map((name) => (/^[aeio]/.test(name) ? `an ${name}` : `a ${name}`)).join(' or ');
}

function unknownName(error: ErrorObject, name: string, inside: string): string {
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const near = nearNames(name, known);
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it takes ${known.join(', ') || 'none'}`;
  return `"${name}" is not known${inside} (${hint})`;
}

/** The keys of a JSON pointer. */
export function keysOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `/rows/2/id` as people write it: `rows[2].id`. */
function placeOf(pointer: string): string {
  return keysOf(pointer)
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
