import { fileURLToPath } from 'node:url';
import { OWN_CLASSES, workerClasses } from '@skillyard/contracts';
import type { LoadedConfig } from '@skillyard/runtime';

/** One process of the system. */
export interface ProcessPlan {
  /** As messages and log lines call it. */
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

/** What a system on one machine is started with. */
export interface SystemPlan {
  readonly redisUrl: string;
  /** How many; they share the turns. */
  readonly orchestrators: number;
  /** Of the first one's API; the others have the next ones. 0: each takes a free one. */
  readonly port: number;
}

/**
 * The processes a configuration needs: orchestrators, a worker for models, built-in tools and the code of skills,
 * and one for each class of tools.
 */
export function systemProcesses(
  loaded: LoadedConfig,
  { redisUrl, orchestrators, port }: SystemPlan,
): ProcessPlan[] {
  const common = ['--redis', redisUrl, ...(loaded.file === null ? [] : ['--config', loaded.file])];
  // Built-in tools answer from memory, and code and commands run in processes of their own: they need none here.
  const toolClasses = workerClasses(loaded.config).filter((one) => !OWN_CLASSES.includes(one));
  const worker = (name: string, classes: readonly string[]): ProcessPlan => ({
    name,
    script: mainOf('@skillyard/workers'),
    args: [...classes.flatMap((one) => ['--class', one]), ...common],
  });
  const plans = [
    ...Array.from({ length: orchestrators }, (_, index) => ({
      name: orchestrators === 1 ? 'orchestrator' : `orchestrator.${index + 1}`,
      script: mainOf('@skillyard/orchestrator'),
      args: [...common, '--port', String(port === 0 ? 0 : port + index)],
    })),
    worker('worker.model', OWN_CLASSES),
    ...toolClasses.map((one) => worker(`worker.${one}`, [one])),
  ];
  const metricsPort = loaded.config.telemetry?.metrics_port;
  return metricsPort === undefined
    ? plans
    : plans.map((plan, index) => withMetrics(plan, metricsPort, index));
}

/** One port serves one process: the first one has that of the configuration, the others the next ones. */
function withMetrics(plan: ProcessPlan, port: number, index: number): ProcessPlan {
  return { ...plan, args: [...plan.args, '--metrics-port', String(port === 0 ? 0 : port + index)] };
}

/** A service's `main.js` stands beside the file that its name leads to. */
function mainOf(service: string): string {
  return fileURLToPath(new URL('main.js', import.meta.resolve(service)));
}
