/** How the validator says that a value does not fit its schema. */
export interface Mismatch {
  readonly keyword: string;
  /** JSON pointer into the validated value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

/** Mistakes that are told of at once. */
const MOST = 3;
/** Characters of a name that the caller chose. */
const NAME_LENGTH = 60;

/**
 * Says in a sentence what does not fit, and what is allowed.
 * @param part where it is: `body`, `params`, `querystring`
 */
export function describeMismatch(mismatches: readonly Mismatch[], part: string): string {
  const root = ROOTS[part] ?? part;
  // That no choice of several fits is said by what is wrong with each.
  const told = withWordsTogether(mismatches.filter(({ keyword }) => keyword !== 'anyOf'));
  const some = (told.length > 0 ? told : mismatches).map((one) => `${placeOf(one, root)} ${wrong(one)}`);
  return [...new Set(some)].slice(0, MOST).join('; or ');
}

/** What may be one of several words in several ways may be one of all of them. */
function withWordsTogether(mismatches: readonly Mismatch[]): Mismatch[] {
  const first = new Map<string, Mismatch>();
  return mismatches.flatMap((one) => {
    if (one.keyword !== 'enum') return [one];
    const before = first.get(one.instancePath);
    if (before !== undefined) {
      allowedBy(before).push(...allowedBy(one));
      return [];
    }
    const own = { ...one, params: { allowedValues: [...allowedBy(one)] } };
    first.set(one.instancePath, own);
    return [own];
  });
}

function allowedBy({ params }: Pick<Mismatch, 'params'>): unknown[] {
  return params['allowedValues'] as unknown[];
}

const ROOTS: Readonly<Record<string, string>> = {
  body: 'the body',
  querystring: 'the query',
  params: 'the path',
  headers: 'the headers',
};

function placeOf({ instancePath }: Mismatch, root: string): string {
  if (instancePath === '') return root;
  const path = instancePath.slice(1).replaceAll('/', '.').slice(0, 200);
  return root === 'the body' ? path : `${path} of ${root}`;
}

function wrong({ keyword, params, message }: Mismatch): string {
  switch (keyword) {
    case 'additionalProperties':
      return `has the unknown key "${String(params['additionalProperty']).slice(0, NAME_LENGTH)}"`;
    case 'required':
      return `lacks "${String(params['missingProperty'])}"`;
    case 'enum':
      return `must be one of ${allowedBy({ params }).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return message ?? `does not fit (${keyword})`;
  }
}
