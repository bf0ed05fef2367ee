import { CodeHostReply, type JsonObject } from '@skillyard/contracts';
import { compileSchema, problemsInWords } from '../json-schema/schema-check.ts';

/** An answer of the code of a skill, or why it is none. */
export type ReadReply = { readonly reply: CodeHostReply } | { readonly problem: string };

/** A longer one is not taken: it would lie in the state of its turn, in its jobs and in its trace. */
const LONGEST_REPLY = 4 * 1024 * 1024;
/** Lists and objects in each other. Whoever takes a value apart later goes down into it, Redis at most a thousand deep. */
const DEEPEST_REPLY = 200;
const LONGEST_PROBLEM = 500;
/** An answer whose number comes first: it is known although the rest of the line may be cut off. */
const ID_FIRST = /^\s*\{\s*"id"\s*:\s*([0-9]{1,15})\s*[,}]/;

/** The number of the request that a line answers; null when it is no answer at all. */
export function idOfLine(line: string): number | null {
  const first = ID_FIRST.exec(line)?.[1];
  if (first !== undefined) return Number(first);
  if (!line.startsWith('{') || line.length > LONGEST_REPLY) return null;
  const value = parse(line);
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
    ? value.id
    : null;
}

/** Reads an answer: whatever leaves the process of a skill is what it is said to be from here on. */
export function readReply(line: string): ReadReply {
  if (line.length > LONGEST_REPLY) {
    return {
      problem: `it has more than the ${LONGEST_REPLY} characters that are let through; keep large values elsewhere and give where they are`,
    };
  }
  const value = parse(line);
  if (value === undefined) return { problem: 'it is no JSON' };
  if (isDeeper(value, DEEPEST_REPLY)) {
    return { problem: `its lists and objects are more than ${DEEPEST_REPLY} deep in each other` };
  }
  const problems = isReply(value);
  if (problems.length === 0) return { reply: value as CodeHostReply };
  return { problem: problemsInWords(problems).slice(0, LONGEST_PROBLEM) };
}

const isReply = compileSchema(JSON.parse(JSON.stringify(CodeHostReply)) as JsonObject);

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

/** Level by level: the depth that is looked for is the one that recursion does not survive. */
function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}
