import { compactJson, membersOf, requestDigest } from '@skillyard/program/supervisor';
import type { RequestKind } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import { inTurns } from './in-turns.ts';
import { judge, printed, type RunRecording } from './yield-folder.ts';

interface DigestVectors {
  readonly vectors: readonly {
    readonly name: string;
    /** The text of a request in a journal. */
    readonly request_json_text: string;
    /** By each of the SDKs; an object is how one failed to read it. */
    readonly digest: Readonly<Record<string, unknown>>;
  }[];
}

/** Ask for what no journal has, so that they tell the digest of what the journal has. */
const OTHER: Readonly<Record<string, string>> = {
  typescript:
    'import { defineSkill } from "@operatorstack/yield"; defineSkill((ctx) => ctx.askUser("other", "?"));',
  python: 'from yieldskill import define_skill\ndefine_skill(lambda ctx: ctx.ask_user("other", "?"))\n',
};

/**
 * Digests of requests: by our SDKs, which parse a journal, and by our supervisor, which keeps it as text. The original's was
 * written in Go, as its Go SDK, and has the same digests.
 */
export const runDigestVectors: RunRecording = async (recording, name, { workspace }) => {
  const { vectors } = recording as DigestVectors;
  const results = await inTurns(vectors, async ({ name: vector, request_json_text: text, digest }) => {
    const entry = (by: string) => ({ name, entry: `${vector}/${by}`, title: text });
    const response = { run_id: 'run_1_00', sequence: 1, request_id: 't', status: 'completed', result: null };
    const skill = { name: 'other', digest: `sha256:${'0'.repeat(64)}` };
    const journal = `{"run_id":"run_1_00","skill":${JSON.stringify(skill)},"entries":[{"request":${text},"response":${JSON.stringify(response)}}]}`;
    const found = [judge(entry('supervisor'), digest['go'], rawDigest(text))];
    for (const [language, source] of Object.entries(OTHER)) {
      if (digest[language] === undefined) continue;
      const { stdout, exit } = await workspace.run(await workspace.program(source), { journal });
      const told = expectedDigest(printed(stdout)) ?? { exit };
      found.push(judge(entry(language), digestOrExit(digest[language]), told));
    }
    return found;
  });
  return results.flat();
};

function digestOrExit(recorded: unknown): unknown {
  return isRecord(recorded) ? { exit: recorded['exit'] } : recorded;
}

function expectedDigest(output: unknown): unknown {
  const divergence = isRecord(output) ? output['divergence'] : undefined;
  return isRecord(divergence) ? divergence['expected_digest'] : undefined;
}

/**
 * The digest of the text of a request.
 * @throws SyntaxError when it is no object of JSON
 */
export function rawDigest(text: string): string {
  const members = new Map(membersOf(compactJson(text)));
  return requestDigest({
    kind: JSON.parse(members.get('kind') ?? '""') as RequestKind,
    id: JSON.parse(members.get('id') ?? '""') as string,
    payload: members.get('payload') ?? '',
    outputSchema: members.get('output_schema') ?? null,
  });
}
