import { ACTION_CLASS, COMMAND_CLASS, type Position, type ToolEffect } from '@skillyard/contracts';
import {
  compileProgram,
  type InstructionCode,
  type Mode,
  type Skill,
  splitToolRef,
  type Step,
  toolsOfStep,
  type Workflow,
} from '@skillyard/engine';
import { allSteps, headerPosition } from '../subject.ts';

/** A tool that a step may call. */
export interface ReachedTool {
  /** Empty when it is only known at run time and nothing narrows it. */
  readonly server: string;
  /** Empty: any tool of the server, as a model chooses. */
  readonly tool: string;
  /** The server is chosen at run time. */
  readonly dynamic: boolean;
  /** What may change something: every tool that is not known to read only. */
  readonly writes: boolean;
}

/** What a step can reach. */
export interface StepReach {
  /** The name of the step, or else its place. */
  readonly step: string;
  readonly kind: Step['kind'] | 'playbook' | 'code';
  readonly position: Position;
  readonly tools: readonly ReachedTool[];
}

/** Per `server` or `server:tool`; every other tool is `once`. */
export type Effects = Readonly<Record<string, ToolEffect>>;

/** The blast radius of a skill as it runs in a mode; what its sources add is not known before a turn starts. */
export function reachOfSkill(skill: Skill, mode: Mode, effects: Effects = {}): StepReach[] {
  if (mode === 'workflow' && skill.workflow !== null) return reachOf(skill.workflow, effects);
  if (mode === 'code') return reachOfCode(skill, effects);
  const step = compileProgram(skill, 'playbook').lists[0]?.[0] as InstructionCode;
  const tools = (step.tools ?? []).map((entry): ReachedTool => {
    // Of the built-in tools it names single ones.
    const { server, tool } = splitToolRef(entry) ?? { server: entry, tool: '' };
    return { server, tool, dynamic: false, writes: mayWrite(server, tool, effects) };
  });
  const position = headerPosition(skill, 'playbook');
  return tools.length === 0 ? [] : [{ step: step.name, kind: 'playbook', position, tools }];
}

/** What code can reach: the servers of the skill by way of models, and whatever its own actions or commands do. */
function reachOfCode(skill: Skill, effects: Effects): StepReach[] {
  const tools = skill.servers.map((entry): ReachedTool => {
    const { server, tool } = splitToolRef(entry) ?? { server: entry, tool: '' };
    return { server, tool, dynamic: false, writes: mayWrite(server, tool, effects) };
  });
  const server = skill.code?.ref.runtime === 'program' ? COMMAND_CLASS : ACTION_CLASS;
  const own: ReachedTool = { server, tool: '', dynamic: false, writes: true };
  return [
    { step: skill.name, kind: 'code', position: headerPosition(skill, 'code'), tools: [...tools, own] },
  ];
}

/** The blast radius of a workflow, step by step; steps that reach nothing are left out. */
function reachOf(workflow: Workflow, effects: Effects): StepReach[] {
  return allSteps(workflow).flatMap(({ step, place }) => {
    const tools = toolsOfStep(step, workflow.tools ?? []).map((tool) => ({
      ...tool,
      writes: mayWrite(tool.server, tool.tool, effects),
    }));
    return tools.length === 0 ? [] : [{ step: place, kind: step.kind, position: step.position, tools }];
  });
}

/** Whether a call may change something, as far as the installation says. Our own tools only ever read. */
function mayWrite(server: string, tool: string, effects: Effects): boolean {
  if (server === 'builtin') return false;
  if (tool !== '') return (effects[`${server}:${tool}`] ?? effects[server] ?? 'once') !== 'read';
  const exceptions = Object.entries(effects).filter(([name]) => name.startsWith(`${server}:`));
  return effects[server] !== 'read' || exceptions.some(([, effect]) => effect !== 'read');
}

/**
 * Whether a step can reach a tool.
 * @param wanted `server:tool`, or `server` for any tool of it
 */
export function reaches({ server, tool }: ReachedTool, wanted: string): boolean {
  const [wantedServer = '', wantedTool = ''] = wanted.split(':', 2);
  // A server that is chosen at run time may be any.
  if (server !== '' && server !== wantedServer) return false;
  return wantedTool === '' || tool === '' || tool === wantedTool;
}
