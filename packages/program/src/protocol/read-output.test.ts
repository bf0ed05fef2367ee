import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramError } from '../program-error.ts';
import { requestDigest } from './digest.ts';
import { readOutput } from './read-output.ts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const SKILL = `{"name":"crew","digest":"${DIGEST}"}`;
const REQUEST = '{"id":"a","kind":"ask_user","payload":{"question":"What?"}}';
const TERMINAL = '{"type":"terminal","terminal":{"status":"completed"}}';

function asking(changes: Readonly<Record<string, string>> = {}): string {
  const members = {
    protocol: '"yield.v1"',
    run_id: '"run_1"',
    skill: SKILL,
    sequence: '1',
    request: REQUEST,
    ...changes,
  };
  const envelope = Object.entries(members).map(([key, value]) => `"${key}":${value}`);
  return `{"type":"request","envelope":{${envelope.join(',')}},"requirements":[]}\n`;
}

function ending(terminal: string, requirements = '[]'): string {
  return `{"type":"terminal","terminal":${terminal},"requirements":${requirements}}`;
}

describe('readOutput', () => {
  it('gives a request with the texts that were printed', () => {
    const payload = '{"n":[1.0,9007199254740993],"n":"\\u003c\\/"}';
    const schema = '{"const":1e3}';
    const request = `{"kind":"agent_task","output_schema":${schema},"id":"t","payload":${payload}}`;
    const output = readOutput(asking({ request: request.replaceAll(',', ' ,\n ') }));
    const digest = requestDigest({ kind: 'agent_task', id: 't', payload, outputSchema: schema });
    expect(output).toMatchObject({
      type: 'request',
      envelope: {
        runId: 'run_1',
        skill: { name: 'crew', digest: DIGEST },
        sequence: 1,
        request: { id: 't', kind: 'agent_task', payload, outputSchema: schema, text: request, digest },
      },
      requirements: [],
    });
  });

  it('tells a schema that is null from none', () => {
    const request = '{"id":"t","kind":"agent_task","payload":null,"output_schema":null}';
    expect(readOutput(asking({ request }))).toMatchObject({
      envelope: { request: { payload: 'null', outputSchema: 'null' } },
    });
    expect(readOutput(asking())).toMatchObject({ envelope: { request: { outputSchema: null } } });
  });

  it('gives an ending with its trail, as clients of four languages print them', () => {
    const trail = `[{"claim":"held","passed":true,"evidence_digest":""},{"claim":"no","passed":false,"evidence_digest":"${DIGEST}"}]`;
    expect(readOutput(ending('{"status":"requirement_failed","reason":"no"}', trail))).toEqual({
      type: 'terminal',
      terminal: { status: 'requirement_failed', result: null, reason: 'no' },
      requirements: [
        { claim: 'held', passed: true },
        { claim: 'no', passed: false, evidence_digest: DIGEST },
      ],
    });
    const done = { status: 'completed', result: 'null', reason: '' };
    expect(readOutput(ending('{"status":"completed","result":null}', 'null'))).toMatchObject({
      terminal: done,
    });
    expect(readOutput(TERMINAL)).toMatchObject({ terminal: { result: null }, requirements: [] });
  });

  it('gives a divergence', () => {
    const divergence = { sequence: 2, expected_digest: DIGEST, got_digest: DIGEST, detail: 'another' };
    expect(readOutput(JSON.stringify({ type: 'diverged', divergence }))).toEqual({
      type: 'diverged',
      divergence,
    });
  });

  it.each<[string, string]>([
    ['\n', 'nothing was printed on stdout'],
    [
      `debug\n${TERMINAL}`,
      'unexpected "d" at character 0; stdout is for one JSON document, all else a program has to say goes to stderr. It begins with "debug',
    ],
    [TERMINAL + TERMINAL, `unexpected "{" at character ${TERMINAL.length}; stdout`],
    [`\ufeff${TERMINAL}`, 'unexpected "\ufeff" at character 0; stdout'],
    ['['.repeat(100_000), 'more than 200 levels deep at character 201; stdout'],
    [ending(`{"status":"completed","result":${'{"a":'.repeat(100_000)}`), 'more than 200 levels deep'],
    ['[]', 'output must be an object'],
    ['{}', 'output type must be a string'],
    ['{"type":"later"}', 'unknown output type "later"'],
    ['{"type":"terminal"}', 'expected exactly one variant payload, got 0'],
    [`{"type":"terminal","terminal":{},"envelope":{}}`, 'expected exactly one variant payload, got 2'],
    ['{"type":"terminal","envelope":{}}', 'output type "terminal" needs terminal, got envelope'],
    ['{"type":"terminal","terminal":{},"x":1}', 'output has an unknown key "x"'],
    ['{"type":"terminal","Terminal":{}}', 'output has an unknown key "Terminal"'],
    ['{"type":"terminal","terminal":{},"terminal":{}}', 'output has the key "terminal" twice'],
    ['{"type":"terminal","terminal":{},"\\u0074ype":"terminal"}', 'output has the key "type" twice'],
    [ending('null'), 'terminal must be an object'],
    [ending('{"status":"done"}'), 'unknown terminal status "done"'],
    [ending('{"status":"blocked","reason":1}'), 'terminal reason must be a string'],
    [ending('{"status":"completed"}', '{}'), 'output requirements must be a list'],
    [ending('{"status":"completed"}', '[{"claim":"","passed":true}]'), 'requirement claim must not be empty'],
    [
      ending('{"status":"completed"}', '[{"claim":"c","passed":"yes"}]'),
      'requirement passed must be a boolean',
    ],
    [
      ending(
        '{"status":"completed"}',
        `[{"claim":"c","passed":true,"evidence_digest":"sha256:${'A'.repeat(64)}"}]`,
      ),
      'requirement evidence must be a sha256 digest',
    ],
    [asking({ protocol: '"yield.v2"' }), 'unknown protocol "yield.v2"'],
    [asking({ run_id: '""' }), 'envelope run_id must not be empty'],
    [asking({ sequence: '0' }), 'envelope sequence must be an integer >= 1'],
    [asking({ sequence: '1.0' }), 'envelope sequence must be an integer >= 1'],
    [asking({ sequence: '9'.repeat(400) }), 'envelope sequence must be an integer >= 1'],
    [asking({ skill: `{"name":"","digest":"${DIGEST}"}` }), 'skill name must not be empty'],
    [asking({ skill: '{"name":"crew","digest":"sha256:0"}' }), 'skill digest must be a sha256 digest'],
    [asking({ request: '[]' }), 'request must be an object'],
    [asking({ request: '{"id":"","kind":"ask_user","payload":1}' }), 'request id must not be empty'],
    [asking({ request: '{"id":"a","kind":"fly","payload":1}' }), 'unknown operation kind "fly"'],
    [asking({ request: '{"id":"a","kind":"ask_user"}' }), 'request payload must be valid JSON'],
  ])('refuses %j', (stdout, why) => {
    expect(refusalOf(stdout)).toMatch(`invalid program output: ${why}`);
  });

  it('never fails but by saying what is wrong, whatever is printed', () => {
    const whole = [
      asking(),
      ending('{"status":"blocked","reason":"\\ud800"}', '[{"claim":"c","passed":true}]'),
    ];
    const damaged = fc
      .record({
        text: fc.constantFrom(...whole),
        at: fc.nat({ max: 400 }),
        length: fc.nat({ max: 20 }),
        put: fc.oneof(fc.constantFrom('', '"', '{', ']', '\\', '\0', '1e999', 'null', '\ud800'), fc.string()),
      })
      .map(({ text, at, length, put }) => text.slice(0, at) + put + text.slice(at + length));
    fc.assert(
      fc.property(damaged, (stdout) => {
        if (refusalOf(stdout) === null) expect(() => JSON.parse(stdout) as unknown).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});

/** Why an output is refused; null: it is admitted. Any other failure is thrown on. */
function refusalOf(stdout: string): string | null {
  try {
    readOutput(stdout);
    return null;
  } catch (error) {
    if (ProgramError.is(error, 'OUTPUT_INVALID')) return error.message;
    throw error;
  }
}
