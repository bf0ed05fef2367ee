import { type Config, workerClasses } from '@skillyard/contracts';
import { type ConfigRemark, inspectConfig, loadPolicy } from '@skillyard/runtime';
import type { Command } from 'commander';
import { displayPath } from '../skill/read-file.ts';
import { EXIT } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Attach } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

interface ConfigOptions {
  readonly config?: string;
  readonly strict?: boolean;
}

/** `skillyard config`: what a configuration comes to. */
export function addConfig(program: Command, attach: Attach): void {
  const config = program
    .command('config')
    .summary('check a configuration')
    .description('Looks at a configuration before something is started with it.');
  const check = config
    .command('check')
    .summary('validate a configuration and say what it comes to')
    .description(
      'Reads the configuration as every command does, names each mistake with its key and place, and says which ' +
        'variables and files it names that are not there. Starts nothing.',
    )
    .argument('[file]', 'default: SKILLYARD_CONFIG, else skillyard.yaml here')
    .option('--strict', 'fail when a variable or file that is named is not there');
  attach<ConfigOptions>(check, async ({ surroundings, terminal }, [file], options) => {
    const loaded = await loadCommandConfig(surroundings, { file });
    const remarks = await inspectConfig(loaded.config, surroundings.env);
    await checkPolicy(loaded.config, remarks);
    const facts = summaryOf(loaded.config);
    if (terminal.json) terminal.document({ file: loaded.file, ...facts, remarks });
    else {
      const shown = loaded.file === null ? null : displayPath(loaded.file, surroundings.cwd);
      printCheck(terminal, shown, facts, remarks);
    }
    return options.strict === true && remarks.length > 0 ? EXIT.failed : EXIT.completed;
  });
}

/** A policy that is wrong stops the start of an orchestrator, so it is no remark. One that is not there is. */
async function checkPolicy({ policy, servers }: Config, remarks: readonly ConfigRemark[]): Promise<void> {
  if (policy === undefined || remarks.some(({ key }) => key === 'policy')) return;
  await loadPolicy(policy, servers);
}

/** What a configuration comes to, in names. */
interface ConfigFacts {
  readonly models: readonly string[];
  readonly servers: readonly string[];
  readonly classes: readonly string[];
  /** What programs may have run. */
  readonly commands: readonly string[];
  readonly tenants: readonly string[];
  readonly api: string | null;
}

function summaryOf(config: Config): ConfigFacts {
  const { http } = config;
  return {
    models: Object.keys(config.models ?? {}),
    servers: Object.keys(config.servers ?? {}),
    classes: workerClasses(config),
    commands: config.commands?.allow ?? [],
    tenants: Object.keys(config.tenants ?? {}),
    api: http?.port === undefined ? null : `http://${http.host ?? '127.0.0.1'}:${http.port}`,
  };
}

function printCheck(
  terminal: Terminal,
  file: string | null,
  { models, servers, classes, commands, tenants, api }: ConfigFacts,
  remarks: readonly ConfigRemark[],
): void {
  const { colors } = terminal;
  const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  terminal.out(file === null ? 'no configuration file: everything is at its default' : `${file} is valid`);
  terminal.out(`models   ${list(models)}`);
  terminal.out(`servers  ${list(servers)}`);
  terminal.out(`classes  ${list(classes)}`);
  terminal.out(
    `commands ${commands.length === 0 ? 'none: programs may run no command' : commands.join(' | ')}`,
  );
  terminal.out(`tenants  ${list(tenants)}`);
  terminal.out(`api      ${api ?? 'none: set http.port'}`);
  for (const { key, message } of remarks) terminal.out(`${colors.yellow('note')}     ${key} ${message}`);
}
