import type { Buildable, ReferenceDefinition, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import type { CliIo } from './cli-io.ts';
import { referenceHelp, workflowHelp } from './help.ts';
import { handshakeOf, parseArguments, type Arguments } from './parse-arguments.ts';
import { ownSkillDir, processIo } from './process-io.ts';
import { skillReferences } from './skill-references.ts';
import { tellIfStuck } from './tell-if-stuck.ts';
import { listTopics, showTopic } from './topic-words.ts';
import { advance, cleanup, start } from './workflow-words.ts';

/** Runs the command line in this process and ends it. */
export async function main(definition: Buildable): Promise<void> {
  if (process.argv[2] === 'host' && definition.kind === 'skill') {
    // Loaded when it is wanted, as the server is: a plain call pays for neither.
    const { serveHost } = await import('../hosted/index.ts');
    return await serveHost(definition, { references: skillReferences(ownSkillDir()) });
  }
  const io = processIo();
  tellIfStuck();
  const code = await runCli(definition, io);
  await io.exit(code);
}

/**
 * The command line of a built skill: workflow, composite or reference. Whatever goes wrong is one line on stderr.
 * @returns the exit code
 */
export async function runCli(definition: Buildable, io: CliIo): Promise<number> {
  try {
    const given = parseArguments(io.argv);
    if (given.words[0] === 'mcp') await serveMcpHere(definition, given, io);
    else if (definition.kind === 'reference') runReference(definition, given, io);
    else await runWorkflow(definition, given, io);
    return 0;
  } catch (error) {
    const place = io.placeOf?.(error) ?? null;
    io.stderr(`error: ${oneLine(error)}${place === null ? '' : ` (${place})`}\n`);
    return 1;
  }
}

async function runWorkflow(definition: SkillDefinition, given: Arguments, io: CliIo): Promise<void> {
  const { words, flags, wantsHelp } = given;
  if (io.argv.length === 0 || wantsHelp) return io.stderr(`${workflowHelp(definition)}\n`);
  const references = skillReferences(io.skillDir);
  const topics = definition.topics ?? {};
  const [word, second] = words;
  if (Object.keys(topics).length > 0) {
    if (word === 'topics') return io.stdout(listTopics(topics));
    if (word === 'topic') return io.stdout(showTopic(topics, second, references));
  }
  if (word === 'cleanup') return cleanup({ flags, io });
  const subskill = word !== undefined && Object.hasOwn(definition.subskills ?? {}, word) ? word : undefined;
  const call = { definition, subskill, flags, references, io };
  const verb = subskill === undefined ? word : second;
  if (verb === undefined || verb === 'start') await start(call);
  else if (verb === 'advance') await advance(call);
  else io.stderr(`${workflowHelp(definition)}\n`);
}

function runReference(definition: ReferenceDefinition, { words, wantsHelp }: Arguments, io: CliIo): void {
  const [word = 'topics', name] = words;
  if (wantsHelp) io.stderr(`${referenceHelp(definition)}\n`);
  else if (word === 'topics') io.stdout(listTopics(definition.topics));
  else if (word === 'topic') io.stdout(showTopic(definition.topics, name, skillReferences(io.skillDir)));
  else throw new KitError('PROTOCOL', `unknown word "${word}": there are topics, topic and mcp`);
}

async function serveMcpHere(definition: Buildable, { flags }: Arguments, io: CliIo): Promise<void> {
  const { serveMcp, serveMcpHttp } = await import('../mcp/index.ts');
  const { host, toolsAvailable: tools, isSubagent } = handshakeOf(flags);
  const sessionDir = flags.get('session-dir');
  const options = {
    host,
    tools,
    isSubagent,
    skillDir: io.skillDir,
    ...(sessionDir === undefined ? {} : { sessionDir }),
  };
  const port = flags.get('http');
  // Whoever is asked to end does, whether the client is gone or not.
  if (port === undefined) return await Promise.race([serveMcp(definition, options), aborted(io.signal)]);
  if (!/^\d{1,5}$/.test(port)) throw new KitError('PROTOCOL', `--http takes a port, not "${port}"`);
  const server = await serveMcpHttp(definition, options, Number(port));
  io.stderr(`${server.url}\n`);
  await aborted(io.signal);
  await server.close();
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ');
}
