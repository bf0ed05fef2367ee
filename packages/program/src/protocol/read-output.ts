import type {
  Divergence,
  ProgramRequirement,
  ProgramSkill,
  RequestKind,
  TerminalStatus,
} from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { requestDigest } from './digest.ts';
import { Fields } from './fields.ts';
import { compactJson } from './json-text.ts';
import type { EnvelopeText, ProgramOutput, RequestText, TerminalText } from './program-output.ts';

const PROTOCOL = 'yield.v1';
const VARIANTS = { request: 'envelope', terminal: 'terminal', diverged: 'divergence' } as const;
const TYPES = ['request', 'terminal', 'diverged'] as const;
const KINDS: readonly RequestKind[] = ['ask_user', 'agent_task', 'run_command'];
const STATUSES: readonly TerminalStatus[] = ['completed', 'blocked', 'refused', 'requirement_failed'];

/**
 * What a program printed, admitted or refused whole: one JSON document, its objects closed, each member what the protocol
 * says. Keys are exact and digests in lower case.
 * @throws ProgramError OUTPUT_INVALID
 */
export function readOutput(stdout: string): ProgramOutput {
  try {
    return outputOf(stdout);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProgramError('OUTPUT_INVALID', `invalid program output: ${error.message}`, { cause: error });
  }
}

function outputOf(stdout: string): ProgramOutput {
  const output = new Fields(documentOf(stdout), 'output', [
    'type',
    'requirements',
    ...Object.values(VARIANTS),
  ]);
  const type = output.word('type', TYPES, 'output type');
  const variants = Object.values(VARIANTS).filter((key) => output.text(key) !== null);
  if (variants.length !== 1) {
    throw new SyntaxError(`expected exactly one variant payload, got ${variants.length}`);
  }
  const variant = output.text(VARIANTS[type]);
  if (variant === null)
    throw new SyntaxError(`output type "${type}" needs ${VARIANTS[type]}, got ${variants[0]}`);
  const requirements = output.elements('requirements').map(requirementOf);
  switch (type) {
    case 'request':
      return { type, envelope: envelopeOf(variant), requirements };
    case 'terminal':
      return { type, terminal: terminalOf(variant), requirements };
    case 'diverged':
      return { type, divergence: divergenceOf(variant) };
  }
}

const MOST_SHOWN = 60;

function documentOf(stdout: string): string {
  if (stdout.trim() === '')
    throw new SyntaxError(
      'nothing was printed on stdout, where `main(program)` of an SDK prints one JSON document',
    );
  try {
    return compactJson(stdout);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const rule = 'stdout is for one JSON document, all else a program has to say goes to stderr';
    const shown = JSON.stringify(stdout.slice(0, MOST_SHOWN));
    throw new SyntaxError(`${error.message}; ${rule}. It begins with ${shown}`, { cause: error });
  }
}

function envelopeOf(text: string): EnvelopeText {
  const envelope = new Fields(text, 'envelope', ['protocol', 'run_id', 'skill', 'sequence', 'request']);
  envelope.word('protocol', [PROTOCOL], 'protocol');
  return {
    runId: envelope.name('run_id'),
    skill: skillOf(envelope.text('skill') ?? 'null'),
    sequence: envelope.integer('sequence', 1),
    request: requestOf(envelope.text('request') ?? 'null'),
    text,
  };
}

function skillOf(text: string): ProgramSkill {
  const skill = new Fields(text, 'skill', ['name', 'digest', 'version']);
  return {
    name: skill.name('name'),
    digest: skill.digest('digest'),
    ...(skill.text('version') !== null && { version: skill.string('version') }),
  };
}

function requestOf(text: string): RequestText {
  const request = new Fields(text, 'request', ['id', 'kind', 'payload', 'output_schema']);
  const payload = request.text('payload');
  const parts = {
    id: request.name('id'),
    kind: request.word('kind', KINDS, 'operation kind'),
    outputSchema: request.text('output_schema'),
  };
  if (payload === null) throw new SyntaxError('request payload must be valid JSON');
  return { ...parts, payload, text, digest: requestDigest({ ...parts, payload }) };
}

function terminalOf(text: string): TerminalText {
  const terminal = new Fields(text, 'terminal', ['status', 'result', 'reason']);
  return {
    status: terminal.word('status', STATUSES, 'terminal status'),
    result: terminal.text('result'),
    reason: terminal.text('reason') === null ? '' : terminal.string('reason'),
  };
}

function divergenceOf(text: string): Divergence {
  const divergence = new Fields(text, 'divergence', ['sequence', 'expected_digest', 'got_digest', 'detail']);
  return {
    sequence: divergence.integer('sequence', 1),
    expected_digest: divergence.digest('expected_digest'),
    got_digest: divergence.digest('got_digest'),
    ...(divergence.text('detail') !== null && { detail: divergence.string('detail') }),
  };
}

function requirementOf(text: string): ProgramRequirement {
  const requirement = new Fields(text, 'requirement', ['claim', 'passed', 'evidence_digest']);
  const evidence = requirement.text('evidence_digest');
  return {
    claim: requirement.name('claim'),
    passed: requirement.boolean('passed'),
    // Some clients print an empty text where there is none.
    ...(evidence !== null &&
      evidence !== '""' && { evidence_digest: requirement.digest('evidence_digest', 'evidence') }),
  };
}
