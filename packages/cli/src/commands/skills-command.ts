import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  type AgentSkill,
  type AgentSkills,
  filterSkills,
  findSkillFolders,
  loadAgentSkills,
  validateSkillFolder,
} from '@skillyard/catalog';
import { type AgentSkillsConfig, type Diagnostic, SkillyardError } from '@skillyard/contracts';
import { suggest } from '@skillyard/runtime';
import type { Command } from 'commander';
import { displayPath } from '../skill/read-file.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { renderDiagnostic } from '../terminal/render-error.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';
import { type Attach, collect, type CommandContext } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface SkillsOptions {
  readonly config?: string;
  readonly agent?: string;
  readonly client?: string;
  readonly path?: readonly string[];
  readonly strict?: boolean;
}

interface ListOptions extends SkillsOptions {
  readonly tag?: readonly string[];
}

/** `skillyard skills`: the `SKILL.md` folders that agents get. */
export function addSkills(program: Command, attach: Attach): void {
  const skills = program
    .command('skills')
    .summary('list, show and validate SKILL.md folders')
    .description('Lists, shows and validates Agent Skills: folders with a SKILL.md.');
  addList(skills, attach);
  addShow(skills, attach);
  addSkillsValidate(skills, attach);
}

function addList(skills: Command, attach: Attach): void {
  const list = skills
    .command('list')
    .summary('list the skills of an agent')
    .description('Lists the skills that an agent gets, and says what was left out and why.')
    .option('--tag <tag>', 'only skills with this tag; repeat for several', collect);
  attach<ListOptions>(addSearchOptions(list), async (context, _args, options) => {
    const loaded = await load(context, options);
    const agent = options.agent ?? '';
    const found = loaded.skills(agent, ...(options.tag ?? []));
    const { terminal } = context;
    if (terminal.json) {
      terminal.document({
        agent: agent === '' ? 'default' : agent,
        agents: loaded.agents(),
        skills: found.map(summaryOf),
        ...diagnosticsOf(loaded),
      });
    } else {
      printDiagnostics(loaded, terminal);
      printList(found, loaded, agent, terminal);
    }
    return EXIT.completed;
  });
}

function addShow(skills: Command, attach: Attach): void {
  const show = skills
    .command('show')
    .summary('show a skill')
    .description('Shows a skill as an agent gets it: its fields, its files and its instructions.')
    .argument('<name>', 'name of the skill');
  attach<SkillsOptions>(addSearchOptions(show), async (context, [name = ''], options) => {
    const loaded = await load(context, options);
    const found = loaded.skills(options.agent ?? '');
    const [skill] = filterSkills(found, name);
    if (skill === undefined || name === '') throw notFound(name, found, loaded);
    const files = await skill.resources.list();
    const { terminal } = context;
    if (terminal.json) terminal.document({ ...summaryOf(skill), body: skill.body, files });
    else printSkill(skill, files, terminal);
    return EXIT.completed;
  });
}

function addSkillsValidate(skills: Command, attach: Attach): void {
  const validate = skills
    .command('validate')
    .summary('check skill folders against the open standard')
    .description('Checks SKILL.md folders against the rules of the open standard (agentskills.io).')
    .argument('<paths...>', 'skill folders, or folders of them');
  attach(validate, async ({ surroundings, terminal }, paths) => {
    const reports: { readonly folder: string; readonly diagnostics: readonly Diagnostic[] }[] = [];
    for (const path of paths) {
      const shown = displayPath(path, surroundings.cwd);
      for (const folder of await findSkillFolders(resolve(surroundings.cwd, path), shown)) {
        const name = displayPath(folder, surroundings.cwd);
        reports.push({ folder: name, diagnostics: await validateSkillFolder(folder, name) });
      }
    }
    const refused = reports.filter(({ diagnostics }) =>
      diagnostics.some(({ severity }) => severity === 'error'),
    ).length;
    if (terminal.json) {
      terminal.document({ valid: refused === 0, skills: reports });
    } else {
      for (const diagnostic of reports.flatMap(({ diagnostics }) => diagnostics)) {
        terminal.out(renderDiagnostic(diagnostic, terminal.colors));
      }
      const checked = reports.length === 1 ? '1 skill' : `${reports.length} skills`;
      terminal.out(`${checked} checked, ${refused === 0 ? 'no errors' : `${refused} refused`}`);
    }
    return refused === 0 ? EXIT.completed : EXIT.badInput;
  });
}

function addSearchOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'the skills of this agent; default: those that every agent gets')
    .option('--client <name>', 'look into the standard folders of this client')
    .option('--path <path>', 'look into this folder or archive only; repeat for several', collect)
    .option('--strict', 'fail on a skill that cannot be read')
    .option('-c, --config <file>', 'configuration with `agent_skills`; default: skillyard.yaml here');
}

/** What is searched: the paths that are named, else what is configured, else the standard folders. */
async function load(context: CommandContext, options: SkillsOptions): Promise<AgentSkills> {
  const { cwd, env } = context.surroundings;
  const named = options.path ?? [];
  let config: AgentSkillsConfig = { enable_default_skills: true, enable_standard_paths: true };
  if (named.length > 0) {
    config = { enable_default_skills: true, paths: [...named] };
  } else {
    const loaded = await loadCommandConfig(context.surroundings, { file: options.config });
    config = loaded.config.agent_skills ?? config;
  }
  return loadAgentSkills(options.strict === true ? { ...config, strict: true } : config, {
    cwd,
    home: env['HOME'] ?? homedir(),
    ...(options.client !== undefined && { client: options.client }),
  });
}

function notFound(name: string, found: readonly AgentSkill[], loaded: AgentSkills): SkillyardError {
  const names = found.map((skill) => skill.name);
  const hint =
    names.length === 0
      ? `there are none for this agent; agents with skills: ${loaded.agents().join(', ') || 'none'}`
      : (suggest(name, names) ?? 'see `skillyard skills list`');
  return new SkillyardError('SKILL_NOT_FOUND', `there is no skill "${oneLine(name)}"; ${hint}`);
}

function summaryOf(skill: AgentSkill): Record<string, unknown> {
  const { resources: _, body: _body, ...fields } = skill;
  return fields;
}

function diagnosticsOf(loaded: AgentSkills): Record<string, unknown> {
  return { diagnostics: loaded.diagnostics, omittedDiagnostics: loaded.omittedDiagnostics };
}

function printDiagnostics(loaded: AgentSkills, terminal: Terminal): void {
  for (const diagnostic of loaded.diagnostics) terminal.err(renderDiagnostic(diagnostic, terminal.colors));
  if (loaded.omittedDiagnostics > 0) terminal.err(`and ${loaded.omittedDiagnostics} more like these`);
}

function printList(
  found: readonly AgentSkill[],
  loaded: AgentSkills,
  agent: string,
  terminal: Terminal,
): void {
  if (found.length > 0) {
    const room = Math.max(20, terminal.columns - 40);
    const rows = found.map(({ name, tags, description }) => [
      oneLine(name, 40),
      oneLine(tags.join(' '), 30),
      oneLine(description, room),
    ]);
    for (const line of plainTable(['skill', 'tags', 'description'], ['left', 'left', 'left'], rows)) {
      terminal.out(line);
    }
  } else {
    terminal.err('no skills');
  }
  const others = loaded.agents().filter((one) => one !== 'default' && one !== agent);
  if (others.length > 0) {
    terminal.err(`agents with skills of their own: ${oneLine(others.join(', '), 500)} (--agent <name>)`);
  }
}

function printSkill(skill: AgentSkill, files: readonly string[], terminal: Terminal): void {
  const { colors } = terminal;
  const lines: [string, string][] = [
    ['file', skill.file],
    ['description', skill.description],
    ['license', skill.license],
    ['compatibility', skill.compatibility],
    ['allowed tools', skill.allowedTools.join(' ')],
    ['agents', skill.agents.join(' ')],
    ['tags', skill.tags.join(' ')],
    ...Object.entries(skill.metadata),
    ['files', files.join(', ')],
  ];
  terminal.out(colors.bold(oneLine(skill.name)));
  for (const [label, text] of lines) {
    if (text !== '') terminal.out(`  ${colors.dim(`${oneLine(label, 40)}:`)} ${oneLine(text, 2000)}`);
  }
  if (skill.body !== '') {
    terminal.out('');
    terminal.answer(skill.body);
  }
}
