import { ALL_TENANTS, type QueueResource, SkillyardError, workerClasses } from '@skillyard/contracts';
import type { AuditLog, QueueControl } from '@skillyard/queue';
import { suggest } from '@skillyard/runtime';
import type { Command } from 'commander';
import { addSystemOptions, operatorName, type SystemOptions } from '../queue/as-operator.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { plainTable } from '../terminal/plain-table.ts';
import type { Attach, CommandContext } from './context.ts';
import { loadCommandConfig } from './load-command-config.ts';

/** What a command about queues works with. */
interface QueueRoom {
  readonly queues: QueueControl;
  readonly audit: AuditLog;
  /** Those of the configuration. */
  readonly classes: readonly string[];
}

/** `skillyard queues`: the queues of the classes of workers, and holding them. */
export function addQueues(program: Command, attach: Attach): void {
  const queues = program
    .command('queues')
    .summary('list, pause and resume the queues of the classes')
    .description('Lists the queues of the classes of workers, and holds them or lets them go on.');
  addList(queues, attach);
  addHold(queues, attach, 'pause', 'let no worker of a class take further jobs');
  addHold(queues, attach, 'resume', 'let the workers of a class go on');
}

function addList(queues: Command, attach: Attach): void {
  const list = queues
    .command('list', { isDefault: true })
    .summary('list them: depth, rate, workers')
    .description('Lists the queue of each class of the configuration: depth, rate, workers.');
  attach<SystemOptions>(addSystemOptions(list), async (context, _args, options) => {
    const found = await withQueues(context, options, (room) => room.queues.list(room.classes));
    const { terminal } = context;
    if (terminal.json) terminal.document({ queues: found });
    else for (const line of tableOf(found)) terminal.out(line);
    return EXIT.completed;
  });
}

function addHold(queues: Command, attach: Attach, how: 'pause' | 'resume', summary: string): void {
  const command = queues
    .command(how)
    .summary(summary)
    .description(`${sentence(summary)}. What is under way goes on.`)
    .argument('<class>', '`model`, or a class of tools');
  attach<SystemOptions>(addSystemOptions(command), async (context, [workerClass = ''], options) => {
    const queue = await withQueues(context, options, async ({ queues: control, audit, classes }) => {
      checkClass(workerClass, classes);
      await control[how](workerClass);
      await audit.record({
        atMs: Date.now(),
        tenant: ALL_TENANTS,
        subject: `cli:${operatorName(context)}`,
        operation: `${how}Queue`,
        target: workerClass,
        status: 200,
      });
      return (await control.list([workerClass]))[0];
    });
    const { terminal } = context;
    if (terminal.json) terminal.document({ queue });
    else terminal.err(`${workerClass} is ${stateOf(queue)}; ${queue?.waiting ?? 0} jobs wait`);
    return EXIT.completed;
  });
}

async function withQueues<T>(
  { surroundings }: CommandContext,
  options: SystemOptions,
  work: (room: QueueRoom) => Promise<T>,
): Promise<T> {
  const { config } = await loadCommandConfig(surroundings, { file: options.config });
  const [{ AuditLog: Log, QueueControl: Control }, { withConnection }] = await Promise.all([
    import('@skillyard/queue'),
    import('../queue/with-connection.ts'),
  ]);
  return withConnection(surroundings, config, options.redis, (connection) =>
    work({
      queues: new Control(connection),
      audit: new Log(connection),
      classes: workerClasses(config),
    }),
  );
}

/** @throws SkillyardError QUEUE_UNKNOWN */
function checkClass(workerClass: string, classes: readonly string[]): void {
  if (classes.includes(workerClass)) return;
  const message = `The configuration has no class "${workerClass}"; ${suggest(workerClass, classes)}`;
  throw new SkillyardError('QUEUE_UNKNOWN', message, { details: { class: workerClass } });
}

function tableOf(queues: readonly QueueResource[]): string[] {
  const head = ['CLASS', 'STATE', 'WAITING', 'ACTIVE', 'DELAYED', 'FAILED', 'WORKERS', 'DONE/MIN'];
  const numbers = head.slice(2).map(() => 'right' as const);
  const rows = queues.map((queue) => [
    queue.class,
    stateOf(queue),
    ...[queue.waiting, queue.active, queue.delayed, queue.failed, queue.workers, queue.donePerMinute].map(
      String,
    ),
  ]);
  return plainTable(head, ['left', 'left', ...numbers], rows);
}

function stateOf(queue: QueueResource | undefined): string {
  if (queue?.paused === true) return 'paused';
  return (queue?.rateLimitedForMs ?? 0) > 0 ? 'rate-limited' : 'open';
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
