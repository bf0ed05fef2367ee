import { resolve } from 'node:path';
import {
  type CodeJournal,
  type Config,
  type ConversationStore,
  type Json,
  parseDurationMs,
  type StepJob,
  type StepResult,
  type ToolEffect,
  type TurnId,
  type WorkingMemory,
} from '@skillyard/contracts';
import { type AssetCopies, localCopies } from './assets/asset-copies.ts';
import { AssetExecutor } from './assets/asset-executor.ts';
import { assetSources } from './assets/asset-sources.ts';
import { FetchRunner } from './assets/fetch-policy.ts';
import { systemTiming } from './assets/timing.ts';
import { activateSkillTool } from './builtin/activate-skill.ts';
import { type BuiltinTool, builtinServer } from './builtin/builtin-server.ts';
import { memoryRead } from './builtin/memory-read.ts';
import { CodeBundles } from './code/code-bundles.ts';
import { CodeExecutor, isAction } from './code/code-executor.ts';
import { localJournal } from './code/code-journal.ts';
import { HostPool } from './code/host-pool.ts';
import { ProgramRunner } from './code/program-runner.ts';
import { CommandExecutor, isCommand } from './command/command-executor.ts';
import { MemoryOutputs } from './command/memory-outputs.ts';
import type { Executor, JobContext } from './executor.ts';
import { answerMemory } from './memory/answer-memory.ts';
import { DEFAULT_PREVIEW_BYTES } from './memory/preview.ts';
import { localMemory } from './memory/working-memory.ts';
import { localConversations } from './model/conversation-store.ts';
import type { Message } from './model/message.ts';
import { GenerateExecutor } from './model/generate-executor.ts';
import { ModelRegistry } from './model/model-registry.ts';
import { createRedactor, type Environment, type Redact } from './redaction.ts';
import { failure, settle } from './step-failure.ts';
import { CallExecutor } from './tools/call-executor.ts';
import { serverEnvironment } from './tools/server-environment.ts';
import { type ToolCatalog, type ToolDescription, ToolServers } from './tools/tool-servers.ts';

const DEFAULT_CODE_PROCESSES = 8;
const DEFAULT_CODE_TIMEOUT_MS = 60_000;

export interface ExecutorsOptions {
  readonly config: Config;
  /** The environment keys are read from and child processes are given a part of. */
  readonly env: Environment;
  /** Relative paths of the configuration start here: the folder of the configuration file. */
  readonly baseDir: string;
  /** Folder that file assets are read below when the configuration names none: that of the skill file. */
  readonly assetRoot?: string;
  /** Absent: in this process. */
  readonly memory?: WorkingMemory;
  /** Absent: in this process. */
  readonly conversations?: ConversationStore<Message>;
  /** What the code of skills decided. Absent: in this process. */
  readonly journal?: CodeJournal;
  /** Folders that the code of skills is looked for in, besides those of the configuration. */
  readonly codeFolders?: readonly string[];
  /** Copies of assets under a fetch policy. Absent: in this process. */
  readonly assetCopies?: AssetCopies;
  /** Where models learn of tools; absent: from the servers themselves. */
  readonly toolCatalog?: ToolCatalog;
  /** How long a tool server may take to start. */
  readonly connectTimeoutMs?: number;
}

/** The outside world of a driver or a worker. */
export interface Executors extends Executor<StepJob> {
  /** What a repeat of a call may do; asks a trusted server when the configuration does not say. */
  effectOf(server: string, tool: string, signal: AbortSignal): Promise<ToolEffect>;
  describeTools(servers: readonly string[], signal: AbortSignal): Promise<readonly ToolDescription[]>;
  /** Drops what this process holds for a turn that has ended. What was passed in as a store is not touched. */
  forgetTurn(turnId: TurnId): void;
  close(): Promise<void>;
}

/**
 * Builds the executors of a configuration. Nothing is connected to or started before a job needs it.
 * Delegates and questions belong to the driver and are refused here.
 */
export function createExecutors(options: ExecutorsOptions): Executors {
  const { config, env, baseDir } = options;
  const ownMemory = localMemory({ maxBytes: config.memory?.max_bytes });
  const ownConversations = localConversations();
  const ownJournal = localJournal();
  const memory = options.memory ?? ownMemory;
  const redact = createRedactor(config, env);
  const skillTools = activateSkillTool(config.agent_skills, { env, baseDir });
  const builtins = async (): Promise<BuiltinTool[]> => [memoryRead(memory), ...(await skillTools())];
  const servers = new ToolServers(config, builtinServer(builtins), {
    env,
    baseDir,
    ...(options.connectTimeoutMs !== undefined && { connectTimeoutMs: options.connectTimeoutMs }),
  });
  const generate = new GenerateExecutor({
    models: new ModelRegistry(config, env, baseDir),
    tools: options.toolCatalog ?? servers,
    conversations: options.conversations ?? ownConversations,
  });
  const previewBytes = config.memory?.preview_bytes ?? DEFAULT_PREVIEW_BYTES;
  const call = new CallExecutor({ servers, memory, previewBytes, redact });
  const root = options.assetRoot ?? baseDir;
  const asset = new AssetExecutor(
    assetSources({ config: config.assets ?? {}, env, baseDir, root, servers }),
    new FetchRunner(options.assetCopies ?? localCopies(), systemTiming),
  );

  const bundles = new CodeBundles([...(options.codeFolders ?? []), ...(config.skills ?? [])]);
  const code = openCode(options, { bundles, journal: options.journal ?? ownJournal, redact });
  const command = openCommands(options, { bundles, memory, previewBytes, redact });

  const execute = async (job: StepJob, context: JobContext): Promise<StepResult> => {
    switch (job.kind) {
      case 'generate':
        return generate.execute(job, context);
      case 'call':
        if (isCommand(job)) return command.execute(job, context);
        return isAction(job) ? code.execute(job, context) : call.execute(job, context);
      case 'decide':
        return code.execute(job, context);
      case 'asset':
        return asset.execute(job, context);
      case 'memory':
        return settle(job, context, () => answerMemory(memory, job));
      case 'delegate':
      case 'ask':
        return settle(job, context, async () =>
          failure(
            'EXECUTOR_MISSING',
            `Nothing is set up here that could answer a job of the kind "${job.kind}"; the driver does.`,
          ),
        );
    }
  };
  return {
    execute: async (job, context) => redacted(await execute(job, context), redact),
    effectOf: (server, tool, signal) => servers.effectOf(server, tool, signal),
    describeTools: (names, signal) => servers.describeTools(names, signal),
    forgetTurn: (turnId) => {
      ownMemory.forget(turnId);
      ownConversations.forget(turnId);
      ownJournal.forget(turnId);
    },
    close: async () => {
      await Promise.all([servers.close(), code.close()]);
    },
  };
}

interface CodeParts {
  readonly bundles: CodeBundles;
  readonly journal: CodeJournal;
  readonly redact: Redact;
}

function openCode({ config, env }: ExecutorsOptions, { bundles, journal, redact }: CodeParts): CodeExecutor {
  const { env_from, timeout, max_processes: maxProcesses, memory_mb: memoryMb } = config.code ?? {};
  const codeEnv = serverEnvironment({ ...(env_from !== undefined && { env_from }) }, env);
  const pool = new HostPool({
    bundles,
    env: codeEnv,
    maxProcesses: maxProcesses ?? DEFAULT_CODE_PROCESSES,
    memoryMb,
    redact,
  });
  const timeoutMs = (timeout === undefined ? undefined : parseDurationMs(timeout)) ?? DEFAULT_CODE_TIMEOUT_MS;
  const programs = new ProgramRunner({ bundles, env: codeEnv, memoryMb, redact });
  return new CodeExecutor({ pool, programs, journal, timeoutMs });
}

interface CommandParts {
  readonly bundles: CodeBundles;
  readonly memory: WorkingMemory;
  readonly previewBytes: number;
  readonly redact: Redact;
}

function openCommands({ config, env, baseDir }: ExecutorsOptions, parts: CommandParts): CommandExecutor {
  const { commands = {} } = config;
  const { cwd, env_from, output_bytes: maxBytes } = commands;
  return new CommandExecutor({
    ...parts,
    config: { ...commands, ...(cwd !== undefined && { cwd: resolve(baseDir, cwd) }) },
    env: serverEnvironment({ ...(env_from !== undefined && { env_from }) }, env),
    outputs: new MemoryOutputs({ ...parts, maxBytes }),
  });
}

/** The last look at a result before it leaves: no secret of the configuration in any text of it (rule E3). */
function redacted(result: StepResult, redact: Redact): StepResult {
  return {
    ...result,
    text: redact(result.text),
    ...(result.error !== undefined && { error: { ...result.error, message: redact(result.error.message) } }),
    ...(result.note !== undefined && { note: redact(result.note) }),
    ...(result.value !== undefined && { value: JSON.parse(redact(JSON.stringify(result.value))) as Json }),
  };
}
