import {
  ACTION_CLASS,
  BUILTIN_CLASS,
  COMMAND_CLASS,
  type Config,
  type Diagnostic,
  PolicyFile,
} from '@skillyard/contracts';
import { splitToolRef } from '@skillyard/engine';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { invalidConfig, readConfigText } from './config-file.ts';
import { type ConfigDocument, parseConfigDocument } from './config-document.ts';
import { at, describeConfigError } from './describe-config-error.ts';
import { suggest } from './nearest.ts';

let compiled: ValidateFunction<PolicyFile> | undefined;

/**
 * Reads and checks the file of a policy.
 * @param servers those of the configuration. A rule that names no server of it is refused: a `deny` with a slip of the pen
 *   would allow what it was meant to forbid
 * @throws SkillyardError FILE_UNREADABLE if it cannot be read
 * @throws SkillyardError CONFIG_INVALID with every mistake, each with file, line, column and a way out
 */
export async function loadPolicy(file: string, servers: Config['servers']): Promise<PolicyFile> {
  const text = await readConfigText({
    file,
    what: `the policy ${file}`,
    hint: 'Correct `policy` in the configuration.',
  });
  const document = parseConfigDocument(text);
  if (!('value' in document)) {
    throw invalidConfig(file, [{ code: 'CONFIG_INVALID', severity: 'error', ...document }]);
  }
  compiled ??= new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<PolicyFile>(PolicyFile);
  const policy = document.value;
  if (!compiled(policy)) {
    throw invalidConfig(
      file,
      (compiled.errors ?? []).map((error) => describeConfigError(document, error)),
    );
  }
  const mistakes = [
    ...checkRules(document, policy, [
      BUILTIN_CLASS,
      ACTION_CLASS,
      COMMAND_CLASS,
      ...Object.keys(servers ?? {}),
    ]),
    ...checkDefaultRoles(document, policy),
  ];
  if (mistakes.length > 0) throw invalidConfig(file, mistakes);
  return policy;
}

/** Rules that name no tool of the installation. */
function checkRules(
  document: ConfigDocument,
  { roles }: PolicyFile,
  servers: readonly string[],
): Diagnostic[] {
  return Object.entries(roles).flatMap(([role, rules]) =>
    (['allow', 'deny'] as const).flatMap((effect) =>
      (rules[effect] ?? []).flatMap((rule, index) => {
        const mistake = ruleMistake(rule, servers);
        if (mistake === undefined) return [];
        const path = ['roles', role, effect, String(index)];
        return [at(document, path, 'value', `${path.join('.')} is "${rule}", ${mistake.why}`, mistake.hint)];
      }),
    ),
  );
}

function ruleMistake(
  rule: string,
  servers: readonly string[],
): { readonly why: string; readonly hint: string } | undefined {
  if (rule === '*') return undefined;
  const { server, tool } = splitToolRef(rule) ?? { server: rule, tool: undefined };
  if (!servers.includes(server))
    return { why: 'which is no server of the configuration', hint: suggest(server, servers) };
  if (tool === undefined || (rule === `${server}:${tool}` && tool !== '' && !tool.includes('*')))
    return undefined;
  return {
    why: 'which names no tool',
    hint: `write \`${server}:<tool>\` for one tool, or \`${server}\` for all of its tools`,
  };
}

function checkDefaultRoles(
  document: ConfigDocument,
  { roles, default_roles = [] }: PolicyFile,
): Diagnostic[] {
  const known = Object.keys(roles);
  return default_roles.flatMap((role, index) => {
    if (known.includes(role)) return [];
    const path = ['default_roles', String(index)];
    return [
      at(
        document,
        path,
        'value',
        `default_roles names "${role}", which is not under roles`,
        suggest(role, known),
      ),
    ];
  });
}
