/** What an adapter points to: the skill as it is in the repository. */
export interface AdapterSource {
  readonly name: string;
  readonly description: string;
  /** The folder of the skill from the root of the repository, with `/`. */
  readonly source: string;
  readonly digest: string;
  /** Of the supervisor. */
  readonly version: string;
}

/** The line by which a generated adapter is known. */
export interface AdapterMarker {
  readonly generator: string;
  readonly source: string;
  readonly digest: string;
  readonly version: string;
}

/** Who writes adapters: others keep away from them, and we from those of others. */
export const GENERATOR = 'skillyard-program';

const MARKER =
  /^---\r?\n[\s\S]*?\r?\n---\s*<!-- generated-by: (?<generator>[^;]+); source: (?<source>[^;]+); digest: (?<digest>[^;]+); version: (?<version>\S+) -->/;

/** @returns null for a file that nobody generated */
export function readMarker(text: string): AdapterMarker | null {
  const groups = MARKER.exec(text)?.groups;
  if (groups === undefined) return null;
  const { generator = '', source = '', digest = '', version = '' } = groups;
  return { generator, source, digest, version };
}

/**
 * The SKILL.md that a coding agent finds: what the skill is for, and how its program is driven.
 * The program stays where it is; the adapter names it, and the state of its sources.
 */
export function adapterText({ name, description, source, digest, version }: AdapterSource): string {
  const folder = shellWord(source);
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

<!-- generated-by: ${GENERATOR}; source: ${source}; digest: ${digest}; version: ${version} -->

# ${name}

This skill is a program that says what is to be done next. Do what it asks for, one request at a time, and nothing in its
place. Run the commands from the root of the repository. Where \`skillyard program\` is not found, \`npx --no skillyard-program\`
is the same.

1. Start it:

   \`\`\`sh
   skillyard program run ${folder}
   \`\`\`

   What the person wants it to work on goes into a file, where the program takes one: \`--input <file>\`.

2. It prints a request as JSON. Keep its \`run_id\`, and answer by its \`kind\`:

   - \`ask_user\`: ask the person the \`question\` of the payload. Where there are \`options\`, offer exactly these, and answer
     with the \`value\` of the one that was chosen. Never answer for the person.

     \`\`\`sh
     skillyard program respond <run_id> --skill ${folder} --value <answer>
     \`\`\`

   - \`agent_task\`: do what the \`instruction\` says with the \`context\`, and answer on standard input with JSON that fits
     \`output_schema\`.

     \`\`\`sh
     skillyard program respond <run_id> --skill ${folder} --result-json - <<'JSON'
     {"...": "..."}
     JSON
     \`\`\`

3. Each answer brings the next request. Go on until it prints \`run <run_id>: <status>\`, and tell the person the status, the
   reason and the result as they are printed. \`blocked\`, \`refused\` and \`requirement_failed\` are ends, too: report them,
   and do not work around them.

Commands are run by the supervisor itself. An answer that is rejected was not taken: the message says why. To see what
happened so far: \`skillyard program inspect <run_id> --skill ${folder}\`. Change nothing below \`.yield\`.
`;
}

/** Quotes what a shell would take for more than one word. */
function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : shellQuoted(text);
}

/** A text between quotes, whatever stands in it. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
