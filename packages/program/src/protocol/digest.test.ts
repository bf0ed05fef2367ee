import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RequestKind } from '@skillyard/contracts';
import { expect, it } from 'vitest';
import { readJournal } from '../sdk/recorded-journal.ts';
import { replayProgram } from '../sdk/replay-program.ts';
import { requestDigest } from './digest.ts';
import { compactJson, membersOf } from './json-text.ts';

interface Vector {
  readonly name: string;
  readonly request_json_text: string;
  readonly digest: { readonly typescript: string; readonly go: string };
}

const RECORDED = fileURLToPath(new URL('../../../../conformance/yield/digest-vectors.json', import.meta.url));
const { vectors } = JSON.parse(readFileSync(RECORDED, 'utf8')) as { vectors: readonly Vector[] };

it.each(vectors)('the digest over the text of $name is that of the recorded supervisor', (vector) => {
  const request = new Map(membersOf(compactJson(vector.request_json_text)));
  const digest = requestDigest({
    kind: JSON.parse(request.get('kind') ?? '') as RequestKind,
    id: JSON.parse(request.get('id') ?? '') as string,
    payload: request.get('payload') ?? '',
    outputSchema: request.get('output_schema') ?? null,
  });
  expect(digest).toBe(vector.digest.go);
});

it.each(vectors)('the digest that a program has of $name is that of the recorded SDK', async (vector) => {
  const head = `"run_id":"run_1","skill":{"name":"crew","digest":"sha256:${'0'.repeat(64)}"}`;
  const journal = `{${head},"entries":[{"request":${vector.request_json_text},"response":{}}]}`;
  const output = await replayProgram((ctx) => ctx.runCommand('other', 'true'), readJournal(journal));
  expect(JSON.parse(output)).toMatchObject({ divergence: { expected_digest: vector.digest.typescript } });
});
