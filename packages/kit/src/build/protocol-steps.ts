/** The protocol that SKILL.md teaches; the built skill speaks both. */
export type SkillProtocol = 'session' | 'stateless';

/**
 * How an agent goes through a skill on the command line.
 * @param params JSON that a start is shown with
 */
export function protocolSteps(protocol: SkillProtocol, params: string): string[] {
  const quoted = params.replaceAll("'", String.raw`'\''`);
  return protocol === 'session' ? sessionSteps(quoted) : statelessSteps(quoted);
}

const FOLLOW = [
  '### Step 2: Follow the prompt',
  '',
  'The result is JSON. `kind` is `prompt`: `prompt` is what to do, `schema` the JSON Schema of the answer (`null`: anything),',
  '`step` the name to answer under. The first one has a `preamble` that tells what the tags of prompts mean; it holds for all.',
  '',
];

function sessionSteps(params: string): string[] {
  return [
    '### Step 1: Start with a session',
    '',
    '```bash',
    `<skill>/scripts/run --params '${params}' --host claude-code --tools <your-tools> --session new 2>/dev/null`,
    '```',
    '',
    'It prints `{"sessionId": ..., "file": ..., "line": ...}`. Read that line of that file: it is the result. Keep the session id.',
    '',
    ...FOLLOW,
    '### Step 3: Advance',
    '',
    '```bash',
    "<skill>/scripts/run advance --step <step-name> --output '<your-json>' --session abc123 2>/dev/null",
    '```',
    '',
    'with the session id in place of `abc123`. It prints a number: the line of the same file that holds the next result.',
    '',
    '### Step 4: Repeat until done',
    '',
    'Follow and advance until `kind` is `done`; `finalOutput` is then what the skill has brought about. `kind` is `error` when the',
    'answer was refused: with `"retry": true` correct it and answer the same step again.',
    '',
    '### Step 5: Cleanup',
    '',
    '```bash',
    '<skill>/scripts/run cleanup --session <session-id> 2>/dev/null',
    '```',
    '',
    'removes the file, which holds everything that was answered.',
  ];
}

function statelessSteps(params: string): string[] {
  return [
    '### Step 1: Start',
    '',
    '```bash',
    `<skill>/scripts/run --params '${params}' --host claude-code --tools <your-tools> 2>/dev/null`,
    '```',
    '',
    'It prints the result.',
    '',
    ...FOLLOW,
    '### Step 3: Advance',
    '',
    '```bash',
    `<skill>/scripts/run advance --step <step-name> --output '<your-json>' --params '${params}' --history '<history>' --host claude-code 2>/dev/null`,
    '```',
    '',
    'with the same `--params` as at the start. `<history>` is a JSON array of everything that is done; at first it is `[]`. After each',
    'result append its `completed` to the history, if it has one, then all of its `autoAdvanced`, in that order.',
    '',
    '### Step 4: Repeat until done',
    '',
    'Follow and advance until `kind` is `done`; `finalOutput` is then what the skill has brought about. `kind` is `error` when the',
    'answer was refused: with `"retry": true` correct it and answer the same step again, with the history as it was.',
  ];
}
