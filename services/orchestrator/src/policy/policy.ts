import { type Config, type PolicyFile, SkillyardError, type StepJob } from '@skillyard/contracts';
import { type Mode, modeOf, type Skill, splitToolRef } from '@skillyard/engine';
import { calledTool } from '@skillyard/queue';
import { loadPolicy } from '@skillyard/runtime';
import { toolsDeclared } from './tools-declared.ts';
import { mayReach, mayReachAll, rulesOf, type ToolRules } from './tool-rules.ts';

/** Refusals that a message names. */
const MAX_SHOWN = 5;

/** The names of the tools of a server; null where nobody knows them. */
export type KnownTools = (server: string) => readonly string[] | null;

/**
 * Which tools the callers of a role may reach. Asked twice: about what a skill declares when a turn is submitted, so that
 * a refusal comes before the first generation, and about every job when it is asked for, so that nothing gets around it.
 *
 * Roles are those of the caller. `[]`: those of callers that have none. null: no policy holds.
 */
export class Policy {
  /** By role; null where there is no policy. */
  readonly #rules: ReadonlyMap<string, ToolRules> | null;
  readonly #defaultRoles: readonly string[];

  constructor(file: PolicyFile | null) {
    this.#rules =
      file === null
        ? null
        : new Map(Object.entries(file.roles).map(([role, rules]) => [role, rulesOf(rules)]));
    this.#defaultRoles = file?.default_roles ?? [];
  }

  /**
   * The policy of an installation.
   * @throws SkillyardError FILE_UNREADABLE, or CONFIG_INVALID with every mistake of its file
   */
  static async load({ policy, servers }: Pick<Config, 'policy' | 'servers'>): Promise<Policy> {
    return new Policy(policy === undefined ? null : await loadPolicy(policy, servers));
  }

  /**
   * Why a tool must not be reached; null when it may be.
   * @param tool empty: any tool of the server at all
   */
  refusal(roles: readonly string[] | null, server: string, tool: string): string | null {
    const rules = this.#rulesOf(roles);
    if (rules === null || mayReach(rules, server, tool)) return null;
    const what = tool === '' ? `the server "${server}"` : `${server}:${tool}`;
    return `the policy does not let ${this.#nameOf(roles ?? [])} reach ${what}`;
  }

  /** Why a job must not be done; null when it may be. */
  refusalOfJob(roles: readonly string[] | null, job: StepJob): string | null {
    const called = calledTool(job);
    return called === null ? null : this.refusal(roles, called.server, called.tool);
  }

  /**
   * What is left of the tools that a model is offered. A server of which only some tools may be reached is replaced by
   * those; where they are not known it stays, and calls of the others are refused.
   */
  narrow(roles: readonly string[] | null, offered: readonly string[], known: KnownTools): readonly string[] {
    const rules = this.#rulesOf(roles);
    if (rules === null) return offered;
    return offered.flatMap((entry) => {
      const single = splitToolRef(entry);
      if (single !== undefined) return mayReach(rules, single.server, single.tool) ? [entry] : [];
      if (mayReachAll(rules, entry)) return [entry];
      if (!mayReach(rules, entry, '')) return [];
      const tools = known(entry);
      if (tools === null) return [entry];
      return tools.filter((tool) => mayReach(rules, entry, tool)).map((tool) => `${entry}:${tool}`);
    });
  }

  /**
   * Looks at what a skill declares. What it delegates to, and what its sources add, is seen when it is asked for.
   * @param asked the mode that is asked for; empty for that of the skill
   * @throws SkillyardError POLICY_DENIED if a step, a playbook or an asset names something that must not be reached
   */
  checkDeclared(skill: Skill, roles: readonly string[] | null, asked: Mode | '' = ''): void {
    if (this.#rulesOf(roles) === null) return;
    const refused = toolsDeclared(skill, modeOf(skill, asked)).flatMap(({ by, line, server, tool }) => {
      const why = this.refusal(roles, server, tool);
      return why === null ? [] : [`line ${line}, ${by}: ${why}`];
    });
    if (refused.length === 0) return;
    const more = refused.length > MAX_SHOWN ? `; and ${refused.length - MAX_SHOWN} more` : '';
    const message = `${refused.slice(0, MAX_SHOWN).join('; ')}${more}. Ask for a role that may, or change the skill.`;
    throw new SkillyardError('POLICY_DENIED', message, { details: { skill: skill.name } });
  }

  /**
   * Why somebody cannot give roles to somebody else; null when they can. Nobody gives what they do not have, and nobody
   * leaves out a role that takes something away from them.
   */
  refusalToGive(own: readonly string[], given: readonly string[]): string | null {
    const foreign = given.find((role) => !own.includes(role));
    if (foreign !== undefined) return `you do not have the role "${foreign}" yourself`;
    if (given.length === 0 && own.length > 0)
      return 'without a role it would have those of callers that have none; name some of yours';
    const kept = own.find((role) => !given.includes(role) && (this.#rules?.get(role)?.deny.size ?? 0) > 0);
    return kept === undefined ? null : `the role "${kept}" denies something, and cannot be left out`;
  }

  /** null: everything may be reached. Roles that the policy does not know allow nothing. */
  #rulesOf(roles: readonly string[] | null): readonly ToolRules[] | null {
    const known = this.#rules;
    if (known === null || roles === null) return null;
    const own = roles.length === 0 ? this.#defaultRoles : roles;
    return own.flatMap((role) => known.get(role) ?? []);
  }

  #nameOf(roles: readonly string[]): string {
    if (roles.length === 0) return 'callers without a role';
    return `the role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`;
  }
}
