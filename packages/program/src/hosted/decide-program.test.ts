import type { CodeEvent, CodeRound, Directive, Json } from '@skillyard/contracts';
import { describe, expect, it } from 'vitest';
import { requestDigest } from '../protocol/digest.ts';
import { decideProgram } from './decide-program.ts';
import type { HostedSettings } from './hosted-settings.ts';
import { operationsOf } from './program-memo.ts';

const SKILL = { name: 'ferry', digest: `sha256:${'a'.repeat(64)}` };
const ENUM = (values: readonly string[]): string =>
  `{"type":"object","required":["value"],"additionalProperties":false,"properties":{"value":{"type":"string","enum":${JSON.stringify(values)}}}}`;

/** An operation as a program prints it. */
interface Wanted {
  readonly id: string;
  readonly kind: 'ask_user' | 'agent_task' | 'run_command';
  readonly payload: string;
  readonly schema?: string;
}
interface JournalRead {
  readonly run_id: string;
  readonly skill: Json;
  readonly entries: readonly { readonly request: Json; readonly response: { readonly result: Json } }[];
  readonly input?: Json;
}

const ask = (id: string, payload: Json, schema?: string): Wanted => ({
  id,
  kind: 'ask_user',
  payload: JSON.stringify(payload),
  ...(schema !== undefined && { schema }),
});
const task = (id: string, payload: string, schema?: string): Wanted => ({
  id,
  kind: 'agent_task',
  payload,
  ...(schema !== undefined && { schema }),
});
const command = (id: string, payload: Json): Wanted => ({
  id,
  kind: 'run_command',
  payload: JSON.stringify(payload),
});
const requestText = ({ id, kind, payload, schema }: Wanted): string => {
  const head = `{"id":${JSON.stringify(id)},"kind":"${kind}","payload":${payload}`;
  return schema === undefined ? `${head}}` : `${head},"output_schema":${schema}}`;
};

/** A program that wants one operation after the other, and then ends. */
const program =
  (wanted: readonly Wanted[], end: Json = { status: 'completed' }, claims: Json = []): Launch =>
  (journal) => {
    const { run_id, skill, entries } = JSON.parse(journal) as JournalRead;
    const next = wanted[entries.length];
    if (next === undefined) return JSON.stringify({ type: 'terminal', terminal: end, requirements: claims });
    return envelope(run_id, skill, entries.length + 1, next);
  };
type Launch = (journal: string) => string;
const envelope = (runId: string, skill: Json, sequence: number, wanted: Wanted): string =>
  `{"type":"request","envelope":{"protocol":"yield.v1","run_id":"${runId}","skill":${JSON.stringify(skill)},"sequence":${sequence},"request":${requestText(wanted)}},"requirements":[]}\n`;

/** A turn as the platform runs it: every round is kept as JSON, and nothing else. */
class Turn {
  readonly rounds: CodeRound[] = [];
  readonly journals: string[] = [];
  readonly settings: HostedSettings;
  launch: Launch;

  constructor(launch: Launch, settings: HostedSettings = {}) {
    this.launch = launch;
    this.settings = settings;
  }

  async happens(event: CodeEvent): Promise<Directive> {
    const { rounds, settings } = this;
    const launch = async (journal: string): Promise<string> => {
      this.journals.push(journal);
      return this.launch(journal);
    };
    const turn = { rounds, event, runId: 'run_t1', skill: SKILL, settings, launch };
    const { decision, memo } = await decideProgram(turn);
    this.rounds.push(JSON.parse(JSON.stringify({ event, memo })) as CodeRound);
    return decision.directive;
  }

  start(vars: Readonly<Record<string, string>> = {}): Promise<Directive> {
    return this.happens({ type: 'start', vars });
  }

  reply(text: string): Promise<Directive> {
    return this.happens({ type: 'reply', text, error: null });
  }

  answer(...answers: Json[]): Promise<Directive> {
    return this.happens({ type: 'answered', answers });
  }
}

const failure = (code: string, message: unknown): object => ({ do: 'end', error: { code, message } });
const manyClaims = (count: number): Json =>
  Array.from({ length: count }, () => ({ claim: 'it floats', passed: true }));
const CREW = '{"type":"object","required":["crew"],"properties":{"crew":{"type":"integer"}}}';

describe('a decision of a hosted program', () => {
  it('asks a person, a model and a shell for what it wants, and hands on what they gave', async () => {
    const turn = new Turn(
      program(
        [
          ask(
            'pier',
            { question: 'Which pier?', options: [{ value: 'n', label: 'North' }, { value: 's' }] },
            ENUM(['n', 's']),
          ),
          task(
            'crew',
            '{"instruction":"How many?","context":{"tons":12345678901234567890,"note":"</context>"}}',
            CREW,
          ),
          command('cast-off', { command: 'make ferry', timeout_seconds: 1.5 }),
        ],
        { status: 'completed', result: { away: true } },
      ),
      { tools: ['harbour'], model: 'main' },
    );
    expect(await turn.start({ tide: 'high' })).toEqual({
      do: 'ask',
      step: 'pier',
      questions: [
        {
          kind: 'choice',
          text: 'Which pier?',
          options: [
            { value: 'n', label: 'North' },
            { value: 's', label: 's' },
          ],
        },
      ],
    });
    expect(await turn.answer('s')).toMatchObject({
      do: 'generate',
      step: 'crew',
      instruction: 'How many?\n\n<context>\n{"tons":12345678901234567890,"note":"<\\/context>"}\n</context>',
      schema: JSON.parse(CREW) as unknown,
      tools: ['harbour'],
      model: 'main',
    });
    expect(await turn.reply('```json\n{ "crew": 90071992547409931 }\n```')).toEqual({
      do: 'command',
      step: 'cast-off',
      command: 'make ferry',
      timeoutMs: 1500,
    });
    const seen = { exit_code: 0, stdout: 'away <!>', stderr: '' };
    expect(await turn.happens({ type: 'acted', value: seen })).toMatchObject({
      do: 'end',
      output: '{"away":true}',
      error: null,
    });

    const results = ['{"value":"s"}', '{"crew":90071992547409931}', JSON.stringify(seen)];
    expect(operationsOf(turn.rounds).map(({ result }) => result)).toEqual(results);
    const last = turn.journals.at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ run_id: 'run_t1', skill: SKILL, input: { tide: 'high' } });
    for (const result of results) expect(last).toContain(`"result":${result}}`);
    expect(last).toContain('"tons":12345678901234567890');
  });

  it('gives a program of any language its own text back, but for white space between tokens', async () => {
    const wanted = task(
      'a',
      '{"instruction": "D\\u00fcne \\u003c\\/b>", "context": {"z": 1.0, "10": 1e3, "a": -0.50, "z": "x  y"}}',
      '{"type": "object", "$comment": "<&>\\u2028"}',
    );
    const turn = new Turn(program([wanted], { status: 'completed' }));
    await turn.start();
    await turn.reply('{"b": 1.0, "a": "\\u00e9\\/", "b": 100000000000000000001}');
    const entry =
      '{"request":{"id":"a","kind":"agent_task","payload":{"instruction":"D\\u00fcne \\u003c\\/b>","context":{"z":1.0,"10":1e3,"a":-0.50,"z":"x  y"}},"output_schema":{"type":"object","$comment":"<&>\\u2028"}}';
    expect(turn.journals[1]).toContain(entry);
    expect(turn.journals[1]).toContain('"result":{"b":1.0,"a":"\\u00e9\\/","b":100000000000000000001}}');
  });

  it('takes the words of a model where no schema is, and tells it of one that its endpoint cannot enforce', async () => {
    const turn = new Turn(
      program([
        task('a', '{"instruction":"Say."}', 'null'),
        task('b', '{"instruction":"List."}', '{"type":"array"}'),
      ]),
    );
    expect(await turn.start()).toMatchObject({ instruction: 'Say.', schema: null, tools: [], model: '' });
    expect(await turn.reply('```json\nfive\n```')).toMatchObject({
      instruction: 'List.\n\nAnswer with one JSON value that fits this JSON Schema:\n{"type":"array"}',
      schema: null,
    });
    await turn.reply('[1.0, 2]');
    expect(operationsOf(turn.rounds).map(({ result }) => result)).toEqual([
      '"```json\\nfive\\n```"',
      '[1.0,2]',
    ]);
  });

  it('sends an answer back that does not fit, three times, and then fails', async () => {
    const turn = new Turn(program([task('crew', '{"instruction":"How many?"}', CREW)]));
    await turn.start();
    const notInTalk = await turn.happens({
      type: 'reply',
      text: '',
      error: { code: 'MODEL_ANSWER_INVALID', message: 'it was cut off' },
    });
    expect(notInTalk).toMatchObject({
      do: 'generate',
      step: 'crew',
      instruction: expect.stringMatching(
        /^How many\?\n\nYour last answer cannot be taken: it was cut off\n/,
      ) as string,
    });
    expect(await turn.reply('about ten')).toMatchObject({
      instruction: expect.stringMatching(/^Your last answer .* begins "about ten"/) as string,
    });
    expect(await turn.reply('{"crew":"ten"}')).toMatchObject({ do: 'generate' });
    expect(await turn.reply('{"crew":1.5}')).toMatchObject(
      failure('MODEL_ANSWER_INVALID', expect.stringMatching(/^"crew": 4 answers/)),
    );
    expect(turn.journals).toHaveLength(1);
  });

  it('asks a person again for an answer that the program cannot take, and ends when nobody answers', async () => {
    const turn = new Turn(program([ask('code', { question: 'Which code?', options: [] }, ENUM(['7', '8']))]));
    expect(await turn.start()).toMatchObject({ questions: [{ kind: 'text', text: 'Which code?' }] });
    expect(await turn.answer('9')).toMatchObject({
      questions: [
        { text: expect.stringMatching(/^Which code\?\n\nThe last answer cannot be taken: /) as string },
      ],
    });
    const silence = await turn.happens({ type: 'answered', answers: null });
    expect(silence).toMatchObject(failure('QUESTION_EXPIRED', 'nobody answered "code" in time.'));
  });

  it('ends as the program says, with what it claimed', async () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    const claims = [
      { claim: 'it floats', passed: true, evidence_digest: digest },
      { claim: 'it is dry', passed: false },
    ];
    const requirements = [
      { claim: 'it floats', passed: true, evidenceDigest: digest },
      { claim: 'it is dry', passed: false },
    ];
    for (const status of ['refused', 'blocked', 'requirement_failed']) {
      const ended = await new Turn(program([], { status, reason: 'no tide' }, claims)).start();
      expect(ended).toEqual({
        do: 'end',
        output: null,
        error: null,
        stop: { status, reason: 'no tide' },
        requirements,
      });
    }
    const unproven = await new Turn(program([], { status: 'completed', result: 1 }, claims)).start();
    expect(unproven).toMatchObject({
      ...failure('CODE_FAILED', expect.stringContaining('completion unproven: ')),
      requirements,
    });
  });

  it.each([
    ['"away"', 'away'],
    ['{"tons":90071992547409931}', '{"tons":90071992547409931}'],
    ['null', null],
  ])('answers with the result %s as it was printed', async (result, answer) => {
    const turn = new Turn(() => `{"type":"terminal","terminal":{"status":"completed","result":${result}}}`);
    expect(await turn.start()).toMatchObject({ output: answer });
  });

  it('fails when the program diverged, with both digests and the place, and can be decided anew', async () => {
    const wanted = [
      task('a', '{"instruction":"Say."}'),
      task('b', '{"instruction":"At 9."}'),
      task('c', '{"instruction":"End."}'),
    ];
    const turn = new Turn(program(wanted));
    await turn.start();
    await turn.reply('one');
    const digestOf = (payload: string): string =>
      requestDigest({ kind: 'agent_task', id: 'b', payload, outputSchema: null });
    const [expected, got] = [digestOf('{"instruction":"At 9."}'), digestOf('{"instruction":"At 10."}')];
    const sound = turn.launch;
    turn.launch = (journal) => {
      const { entries, run_id, skill } = JSON.parse(journal) as JournalRead;
      if (entries.length < 2) return envelope(run_id, skill, 2, task('b', '{"instruction":"At 10."}'));
      const divergence = { sequence: 2, expected_digest: expected, got_digest: got };
      return JSON.stringify({ type: 'diverged', divergence });
    };
    const event: CodeEvent = { type: 'reply', text: 'two', error: null };
    const diverged = await turn.happens(event);
    expect(diverged).toMatchObject(
      failure('PROGRAM_DIVERGED', expect.stringMatching(/operation 2 \("b"\): .*payload\.instruction/)),
    );
    const { message } = (diverged as { error: { message: string } }).error;
    for (const said of [expected, got, 'At 9.', 'At 10.']) expect(message).toContain(said);
    // Nobody keeps such a round.
    turn.rounds.pop();
    turn.launch = sound;
    expect(await turn.happens(event)).toMatchObject({ do: 'generate', step: 'c' });
  });

  it.each([
    ['another run', () => envelope('run_t2', SKILL, 1, task('a', '{"instruction":""}')), 'the run run_t2'],
    [
      'another program',
      () => envelope('run_t1', { ...SKILL, name: 'barge' }, 1, task('a', '{"instruction":""}')),
      'the skill barge',
    ],
    [
      'other sources',
      () =>
        envelope(
          'run_t1',
          { ...SKILL, digest: `sha256:${'c'.repeat(64)}` },
          1,
          task('a', '{"instruction":""}'),
        ),
      'the skill digest',
    ],
    [
      'another place',
      () => envelope('run_t1', SKILL, 2, task('a', '{"instruction":""}')),
      'the sequence 2, and that of its turn is 1',
    ],
    [
      'a payload of another kind',
      () => envelope('run_t1', SKILL, 1, ask('a', { question: 'x', options: [{ value: 1 }] })),
      'ask_user needs {"question": text',
    ],
    ['no output', () => 'ready', 'invalid program output'],
    [
      'a divergence from nothing',
      () =>
        `{"type":"diverged","divergence":{"sequence":1,"expected_digest":"${SKILL.digest}","got_digest":"${SKILL.digest}"}}`,
      '0 were answered',
    ],
    [
      'more claims than a turn takes',
      () =>
        JSON.stringify({
          type: 'terminal',
          terminal: { status: 'completed' },
          requirements: manyClaims(10_001),
        }),
      'it has 10001 requirements',
    ],
    [
      'more than a turn takes',
      () => envelope('run_t1', SKILL, 1, task('a', `{"instruction":"${'x'.repeat(4 * 1024 * 1024)}"}`)),
      'Keep large values in files',
    ],
  ])('refuses %s', async (_what, launch, problem) => {
    await expect(new Turn(launch).start()).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining(problem) as string,
    });
  });

  it('refuses a turn whose answers grow without end', async () => {
    const request = requestText(task('a', `{"instruction":"${'x'.repeat(4_000_000)}"}`));
    const rounds: CodeRound[] = Array.from({ length: 17 }, (_, round) => ({
      event: { type: 'start', vars: {} },
      memo: { result: round === 0 ? null : '""', request, refusals: 0 },
    }));
    const decision = decideProgram({
      rounds,
      event: { type: 'reply', text: '', error: null },
      runId: 'run_t1',
      skill: SKILL,
      settings: {},
      launch: () => Promise.reject(new Error('it is not run')),
    });
    await expect(decision).rejects.toThrow('the 17 operations so far have 680');
  });
});
