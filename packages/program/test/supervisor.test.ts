import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Called, callProgram } from './call-program.ts';
import { makeSkill } from './make-skill.ts';

let work: string;
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'program-supervisor-')));
});
afterAll(() => {
  rmSync(work, { recursive: true });
});

/** A skill, and its only run. */
class Skill {
  readonly folder: string;
  readonly name: string;

  constructor(name: string, program: string) {
    this.name = name;
    this.folder = makeSkill(work, name, program);
  }

  get runs(): string {
    return join(this.folder, '.yield/runs');
  }

  get runId(): string {
    const log = readdirSync(this.runs).find((file) => file.endsWith('.jsonl'));
    return log?.replace('.jsonl', '') ?? 'none';
  }

  get logFile(): string {
    return join(this.runs, `${this.runId}.jsonl`);
  }

  get types(): string[] {
    return this.records.map(({ type }) => type);
  }

  get records(): { readonly type: string; readonly data: Record<string, unknown> }[] {
    const lines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Skill['records'][number]);
  }

  run(flags = ''): Promise<Called> {
    return callProgram(work, `run ${this.name}${flags}`);
  }

  /** A verb about the run of this skill. */
  call(verb: string, flags = ''): Promise<Called> {
    return callProgram(work, `${verb} ${this.runId} --skill ${this.name}${flags === '' ? '' : ` ${flags}`}`);
  }

  /** With a response envelope for the operation that is said. */
  resume(sequence: number, requestId: string, rest: object): Promise<Called> {
    const response = { run_id: this.runId, sequence, request_id: requestId, status: 'completed', ...rest };
    writeFileSync(join(work, 'response.json'), JSON.stringify(response, null, 2));
    return this.call('resume', '--response response.json');
  }
}

it('keeps texts as they were printed, and takes the same answer twice as one', async () => {
  const skill = new Skill(
    'texts',
    `
    const answer = task('count', { instruction: 'a < b && é' + String.fromCharCode(0x9b), floats: [1] }, { const: 12345678901234567890 });
    end('completed', { result: { answer } });`,
  );
  // A program of another language prints what JavaScript would not.
  const main = readFileSync(join(skill.folder, 'main.mjs'), 'utf8');
  writeFileSync(
    join(skill.folder, 'main.mjs'),
    main.replace(
      "JSON.stringify(output) + '",
      "JSON.stringify(output).replace('[1]', '[ 1.0 ]').replace('12345678901234567000', '12345678901234567891') + '",
    ),
  );
  const started = await skill.run();
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  expect(started.stdout).toContain(
    '"instruction": "a < b && é\\u009b",\n      "floats": [\n        1.0\n      ]',
  );
  expect(readFileSync(skill.logFile, 'utf8')).toContain(
    '"floats":[1.0]},"output_schema":{"const":12345678901234567891}',
  );

  expect((await skill.call('respond', '--result-json 12345678901234567890')).stderr).toContain(
    'rejected (schema-invalid)',
  );
  expect((await skill.resume(1, 'count', { status: 'failed' })).stderr).toContain(
    'rejected (operation-failed)',
  );
  expect((await skill.resume(1, 'count', { status: 'done' })).stderr).toContain('rejected (unknown-status)');
  expect((await skill.resume(1, 'x'.repeat(1_000_000), { result: 1 })).stderr).toContain('wrong-request');
  expect(statSync(skill.logFile).size).toBeLessThan(10_000);
  expect((await skill.call('replay')).stdout).toContain(started.stdout);
});

it('answers a retry with where the run is, and a late other answer not at all', async () => {
  const skill = new Skill(
    'retry',
    `
    const { value } = ask('lane', { question: 'Which?' });
    const done = ask('note', { question: 'Note for ' + value });
    end(done.value === 'no' ? 'refused' : 'completed', { reason: done.value });`,
  );
  await skill.run();
  const first = await skill.resume(1, 'lane', { result: { value: 'air' } });
  expect(first.stdout).toContain('"question": "Note for air"');
  expect(await skill.resume(1, 'lane', { result: { value: 'air' } })).toEqual(first);
  expect((await skill.resume(1, 'lane', { result: { value: 'sea' } })).stderr).toContain('DIFFERENT content');
  expect(await skill.call('resume')).toEqual(first);

  const ended = { exitCode: 0, stdout: `run ${skill.runId}: refused\nreason: no\n`, stderr: '' };
  expect(await skill.call('respond', '--value no')).toEqual(ended);
  expect(await skill.call('respond', '--value no')).toEqual(ended);
  expect(await skill.call('resume')).toEqual(ended);
  expect((await skill.call('respond', '--value yes')).stderr).toContain(
    'already committed with different content',
  );
  expect(skill.types.filter((type) => type.startsWith('operation.'))).toHaveLength(4);
  expect(skill.types.at(-1)).toBe('run.refused');
});

it('lets one of two supervisors go on, and the other one later', async () => {
  const skill = new Skill(
    'two',
    `
    const { value } = ask('lane', { question: 'Which?' });
    sh('count', 'echo ' + value + ' >> ran.txt');
    end('completed', {});`,
  );
  await skill.run();
  const both = await Promise.all(['air', 'sea'].map((lane) => skill.call('respond', `--value ${lane}`)));
  expect(both.map(({ exitCode }) => exitCode)).toContain(0);
  expect(both.find(({ exitCode }) => exitCode === 1)?.stderr).toContain(
    'is held by another supervisor (process ',
  );
  expect(readFileSync(join(skill.folder, 'ran.txt'), 'utf8').split('\n')).toHaveLength(2);
});

it('gives its input to a program, and misses it when it is another one', async () => {
  const program = `
    ask('go', { question: JSON.stringify(journal.input) });
    end('completed', { result: journal.input });`;
  const skill = new Skill('input', program);
  writeFileSync(join(work, 'in.json'), '{ "big": 12345678901234567890 }\n');
  await skill.run(' --input in.json');
  rmSync(join(work, 'in.json'));
  expect((await skill.call('replay')).exitCode).toBe(0);
  const copy = join(skill.runs, `${skill.runId}.input`);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const kept = readFileSync(copy);
  writeFileSync(copy, '{}');
  expect((await skill.call('respond', '--value yes')).stderr).toContain(
    'has changed since the run was started',
  );
  writeFileSync(copy, kept);
  expect((await skill.call('respond', '--value yes')).stdout).toContain(
    'result: {"big":12345678901234567000}',
  );

  writeFileSync(join(work, 'in.txt'), 'no "JSON"');
  expect((await new Skill('words', program).run(' --input in.txt')).stdout).toContain(
    'no \\\\\\"JSON\\\\\\"',
  );
  expect((await skill.run(' --input none.json')).stderr).toBe(
    'skillyard-program: open none.json: no such file or directory\n',
  );
});

it('says where a program that has changed asks for something else', async () => {
  const skill = new Skill(
    'drift',
    `
    ask('lane', { question: 'Which lane?', options: [{ value: 'air' }] });
    ask('note', { question: 'Note?' });`,
  );
  await skill.run();
  await skill.call('respond', '--value air');
  const main = join(skill.folder, 'main.mjs');
  writeFileSync(main, readFileSync(main, 'utf8').replace("'air'", "'sea'"));
  expect((await skill.call('respond', '--value x')).stderr).toContain('rejected (digest-mismatch)');
  const diverged = await skill.call('resume', '--accept-new-digest');
  expect(diverged.exitCode).toBe(1);
  expect(diverged.stderr).toMatch(
    /^skillyard-program: replay diverged at sequence 1 — .*\n {2}recorded: sha256:\w{64}\n {2}now: sha256:\w{64}\n/,
  );
  expect(diverged.stderr).toContain(
    'the first difference is at payload.options[0].value: "air" was recorded, and now it is "sea"',
  );
  expect((await skill.call('resume')).exitCode).toBe(1);
  // It is said again, and written down once.
  expect(skill.types.slice(-2)).toEqual(['digest.migrated', 'replay.diverged']);
  // As it was, the program goes on.
  writeFileSync(main, readFileSync(main, 'utf8').replace("'sea'", "'air'"));
  expect((await skill.call('resume', '--accept-new-digest')).stdout).toContain('"id": "note"');
});

it('closes no run with a completion over a requirement that failed', async () => {
  const skill = new Skill(
    'unproven',
    `
    requirements.push({ claim: 'all "rows" are there', passed: false });
    end('completed', { result: 1 });`,
  );
  const refused = {
    exitCode: 1,
    stdout: '',
    stderr:
      'skillyard-program: rejected (completion-unproven): requirement "all \\"rows\\" are there" failed; completion is refused\n',
  };
  expect(await skill.run()).toEqual(refused);
  expect(skill.types).toEqual(['run.started', 'requirement.failed', 'run.blocked']);
  expect(await skill.call('resume')).toEqual(refused);
  // Whoever dies between the trail and the end writes no line twice.
  const lines = readFileSync(skill.logFile, 'utf8');
  truncateSync(skill.logFile, lines.lastIndexOf('{"seq":3'));
  expect(await skill.call('resume')).toEqual(refused);
  expect(skill.types).toEqual(['run.started', 'requirement.failed', 'run.blocked']);
});

it('takes no request that is for another run or another place', async () => {
  const skill = new Skill(
    'foreign',
    `
    journal.run_id = 'r';
    at = 4;
    sh('again', 'echo x >> ran.txt');`,
  );
  expect((await skill.run()).stderr).toContain(
    `the request is not for this run: run id "r" instead of "${skill.runId}", sequence 5 instead of 1`,
  );
  expect(skill.types).toEqual(['run.started']);
  expect(existsSync(join(skill.folder, 'ran.txt'))).toBe(false);
});

it('goes on behind a line that was not written to its end, and not behind one that is wrong', async () => {
  const skill = new Skill('torn', `ask('lane', { question: 'Which?' }); end('completed', {});`);
  await skill.run();
  const whole = readFileSync(skill.logFile, 'utf8');
  appendFileSync(skill.logFile, '{"seq":3,"type":"operation.compl');
  const inspected = await skill.call('inspect');
  expect(inspected.stdout.split('\n')).toHaveLength(3);
  const resumed = await skill.call('respond', '--value air');
  expect(resumed.stderr).toContain('was not written to its end and was cut off');
  expect(skill.types).toEqual(['run.started', 'operation.requested', 'operation.completed', 'run.completed']);

  writeFileSync(skill.logFile, whole.replace('"seq":2', '"seq":3'));
  expect((await skill.call('resume')).stderr).toContain(
    'run log sequence broken at line 2: got seq 3, want 2',
  );
  writeFileSync(skill.logFile, `${whole}nothing\n`);
  expect((await skill.call('inspect')).stderr).toContain('corrupt run log at line 3: ');
});

it('runs no command that has been run or may have been, wherever a power cut has cut off the log', async () => {
  const skill = new Skill(
    'cut',
    `for (const id of ['a', 'b']) sh(id, 'echo ' + id + ' >> ran');
    end('completed', {});`,
  );
  await skill.run();
  const [first = '', ...lines] = readFileSync(skill.logFile, 'utf8').trimEnd().split('\n');
  const ran = join(skill.folder, 'ran');
  let whole = `${first}\n`;
  for (const line of lines) {
    // In the middle of a line; behind it, but for its end; and behind its end.
    for (const part of [line.slice(0, line.length / 2), line, `${line}\n`]) {
      writeFileSync(skill.logFile, whole + part);
      const records = part.startsWith(line) ? whole + line : whole;
      const has = (type: string, id: string): boolean =>
        records.split('\n').some((record) => record.includes(`"${type}"`) && record.includes(`id":"${id}"`));
      const ids = ['a', 'b'];
      const inFlight = ids.filter((id) => has('operation.requested', id) && !has('operation.completed', id));
      writeFileSync(ran, '');
      const { exitCode, stderr } = await skill.call('resume');
      expect(exitCode).toBe(inFlight.length > 0 ? 1 : 0);
      for (const id of inFlight) expect(stderr).toContain(`command "${id}" (sequence `);
      const expected = inFlight.length > 0 ? [] : ids.filter((id) => !has('operation.completed', id));
      expect(readFileSync(ran, 'utf8')).toBe(expected.map((id) => `${id}\n`).join(''));
    }
    whole += `${line}\n`;
  }
});

it('keeps what it writes to itself, and follows no link elsewhere', async () => {
  const skill = new Skill('private', `ask('lane', { question: 'Which?' });`);
  await skill.run();
  expect(statSync(join(skill.folder, '.yield')).mode & 0o777).toBe(0o700);
  expect(statSync(skill.logFile).mode & 0o777).toBe(0o600);

  const linked = new Skill('linked', `ask('lane', { question: 'Which?' });`);
  mkdirSync(join(work, 'elsewhere'));
  symlinkSync(join(work, 'elsewhere'), join(linked.folder, '.yield'));
  expect((await linked.run()).stderr).toContain('must be a folder, and no link to one');
  expect(readdirSync(join(work, 'elsewhere'))).toEqual([]);
  expect((await callProgram(work, 'inspect ../../etc/passwd --skill private')).stderr).toContain(
    'no such run',
  );
});
