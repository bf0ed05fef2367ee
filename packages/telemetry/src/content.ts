import type { Attributes } from '@opentelemetry/api';
import type { StepJob, StepResult } from '@skillyard/contracts';
import { GEN_AI } from './gen-ai.ts';

/** The most characters of one text. */
const MAX_CHARACTERS = 8192;

/** Cuts a text to what a span may hold of it. */
export function clip(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}

/** What a job was given and what it gave, in the form of the conventions. Nobody sees it unless an operator asked for it. */
export function contentOf(job: StepJob, result: StepResult | undefined): Attributes {
  switch (job.kind) {
    case 'generate': {
      const replies = job.replies.map(({ text }) => message('tool', text));
      const asked = job.round === 0 ? [message('user', job.instruction)] : replies;
      return {
        ...(job.system !== undefined && { [GEN_AI.systemInstructions]: clip(job.system) }),
        [GEN_AI.inputMessages]: JSON.stringify(asked),
        ...(result && { [GEN_AI.outputMessages]: JSON.stringify([message('assistant', result.text)]) }),
      };
    }
    case 'call':
      return {
        [GEN_AI.toolArguments]: clip(JSON.stringify(job.args)),
        ...(result && { [GEN_AI.toolResult]: clip(result.text) }),
      };
    case 'asset':
    case 'memory':
    case 'delegate':
    case 'ask':
    case 'decide':
      return {};
  }
}

function message(role: string, text: string): object {
  return { role, parts: [{ type: 'text', content: clip(text) }] };
}
