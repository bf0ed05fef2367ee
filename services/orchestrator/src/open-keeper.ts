import { resolveRadius } from '@skillyard/catalog';
import type { StepJob } from '@skillyard/contracts';
import { type QueueConnection, queueOf, RedisToolCatalog, type TurnStore } from '@skillyard/queue';
import { currentSettings } from './current-settings.ts';
import type { OrchestratorOptions } from './orchestrator-options.ts';
import type { Policy } from './policy/policy.ts';
import { ToolNames } from './policy/tool-names.ts';
import { Programs } from './programs.ts';
import { routeWith } from './route.ts';
import type { SkillShelf } from './skills/skill-shelf.ts';
import { TurnKeeper, type TurnKeeperParts } from './turn-keeper.ts';

/** What decides about turns that start: where their jobs go, what they may reach, and under which settings they run. */
export function openKeeper(
  options: OrchestratorOptions,
  connection: QueueConnection,
  parts: Pick<TurnKeeperParts, 'cache' | 'delegates' | 'noteEnd'> & {
    readonly store: TurnStore;
    readonly skills: SkillShelf;
    readonly policy: Policy;
  },
): TurnKeeper {
  const { config, telemetry, log, onTransition, now = Date.now } = options;
  const { store, cache, delegates, noteEnd, skills, policy } = parts;
  const queueFor = options.queueOf ?? ((job: StepJob) => queueOf(job, config));
  const catalog = new RedisToolCatalog<{ readonly tool: string }>(connection);
  const limited = config.policy === undefined ? [] : Object.keys(config.servers ?? {});
  const toolNames = new ToolNames(catalog, limited, now);
  return new TurnKeeper({
    store,
    cache,
    delegates,
    noteEnd,
    programs: new Programs((hash) => store.skillText(hash)),
    route: routeWith({ queueOf: queueFor, policy, toolsOf: (server) => toolNames.of(server), telemetry }),
    settings: async () => {
      await toolNames.refresh();
      return currentSettings(config, catalog);
    },
    radius: (program, tenant) => resolveRadius(program, (name) => skills.find(tenant, name)),
    telemetry,
    log,
    now,
    onTransition,
  });
}
