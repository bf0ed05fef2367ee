import type { LintConfig, LintFacts } from '@skillyard/contracts';
import type { Facts, LintOptions } from '@skillyard/lint';

/** What `run` and `submit` give every turn: docs/cli.md. */
const GIVEN_VARIABLES = ['input'];
/**
 * Built-in tools that a model is offered without a declaration: where a text refers to a handle, and where there are agent
 * skills. That there are none is no mistake of a skill.
 */
export const ALWAYS_OFFERED = ['memory_read', 'activate_skill'];

/** Facts as files spell them, for the linter. */
export function linterFacts(facts: LintFacts): Facts {
  return {
    serverNames: facts.server_names,
    allTools: facts.all_tools,
    toolSchemas: facts.tool_schemas,
    builtinTools: facts.builtin_tools,
    writeServers: facts.write_servers,
    skillNames: facts.skill_names,
  };
}

/** `lint:` of a configuration, for the linter, with what is always so here. */
export function linterOptions(config: LintConfig): LintOptions {
  const { assets } = config;
  return {
    playbookBudget: config.playbook_budget,
    callProtocol: config.call_protocol,
    envelopes: config.envelopes,
    assets: assets && {
      codeKinds: assets.code_kinds,
      referenceKinds: assets.reference_kinds,
      knownParams: assets.known_params,
      langParam: assets.lang_param,
    },
    staleApis: config.stale_apis,
    readOnlyRoles: config.read_only_roles,
    implicitBuiltins: [...ALWAYS_OFFERED, ...(config.implicit_builtins ?? [])],
    emptyWords: config.empty_words,
    freeTextFields: config.free_text_fields,
    hostVars: [...GIVEN_VARIABLES, ...(config.host_vars ?? [])],
  };
}
