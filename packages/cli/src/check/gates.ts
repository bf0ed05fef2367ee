import type { StoredSkill } from '@skillyard/catalog';
import { SkillyardError } from '@skillyard/contracts';
import { loadSkill, type Skill } from '@skillyard/engine';
import { type Preflight, reaches } from '@skillyard/lint';

/** What a skill must not do to pass. */
export interface Gates {
  /** The most that a turn may cost. */
  readonly maxCost?: number;
  /** `server:tool`, or `server` for all of its tools. */
  readonly forbidden: readonly string[];
}

/** How skills that are delegated to are looked at. */
export interface Delegated {
  /** @throws SkillyardError SKILL_NOT_FOUND or FILE_UNREADABLE */
  readonly read: (name: string) => Promise<StoredSkill>;
  readonly look: (skill: Skill) => Promise<Preflight>;
}

/**
 * The gates that a skill does not pass, as sentences. What is delegated to is looked at as well, however far: a gate that
 * lets unseen work through protects nothing.
 */
export async function brokenGates(
  report: Preflight,
  gates: Gates,
  delegated: Delegated,
): Promise<readonly string[]> {
  const broken = reachedBy(report, gates.forbidden, '');
  if (gates.forbidden.length > 0)
    broken.push(...(await reachedElsewhere(report, gates.forbidden, delegated)));
  const dear = gates.maxCost === undefined ? undefined : tooDear(report, gates.maxCost);
  return dear === undefined ? broken : [...broken, dear];
}

function reachedBy({ reach }: Preflight, forbidden: readonly string[], by: string): string[] {
  return forbidden.flatMap((wanted) =>
    reach
      .filter(({ tools }) => tools.some((tool) => reaches(tool, wanted)))
      .map(({ step, position }) => `${by}line ${position.line}: "${step}" can reach ${wanted}`),
  );
}

async function reachedElsewhere(
  first: Preflight,
  forbidden: readonly string[],
  { read, look }: Delegated,
): Promise<string[]> {
  const broken: string[] = [];
  const seen = new Set<string>();
  const waiting = first.delegations.map(({ skill }) => skill);
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const found = await preflightOf(name, { read, look });
    if (typeof found === 'string') {
      broken.push(`it delegates to "${name}", and what that can reach is not known: ${found}`);
    } else {
      broken.push(...reachedBy(found, forbidden, `by way of "${name}", `));
      waiting.push(...found.delegations.map(({ skill }) => skill));
    }
  }
  return broken;
}

/** @returns what a skill may do, or why nobody can say */
async function preflightOf(name: string, { read, look }: Delegated): Promise<Preflight | string> {
  try {
    const { file, text } = await read(name);
    const { skill } = loadSkill(text, { file });
    return skill === null ? `${file} is refused` : await look(skill);
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    return error.message;
  }
}

function tooDear({ envelope, delegations, openEnded }: Preflight, maxCost: number): string | undefined {
  if (openEnded)
    return 'its cost is not known: code decides how many generations there are; give the skill a limit of generations';
  const [delegation] = delegations;
  if (delegation !== undefined)
    return `its cost is not known: it delegates to "${delegation.skill}" (line ${delegation.position.line})`;
  const { cost, unpriced } = envelope;
  if (cost === null) {
    const models = unpriced.map((model) => (model === '' ? 'the default model' : `"${model}"`)).join(', ');
    return `its cost is not known: ${models} has no \`price\` under \`models\` in the configuration`;
  }
  return cost > maxCost ? `it may cost ${money(cost)}, more than ${money(maxCost)}` : undefined;
}

/** An amount, without a currency: prices are in whatever the configuration says. */
export function money(amount: number): string {
  return amount >= 1 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2);
}
