/**
 * What the protocol admits of what a program printed, said here once more and apart from the product: recordings say what
 * programs print, not what a supervisor makes of it.
 */
import { isRecord } from '../../is-record.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const KINDS: ReadonlySet<unknown> = new Set(['ask_user', 'agent_task', 'run_command']);
const STATUSES: ReadonlySet<unknown> = new Set(['completed', 'blocked', 'refused', 'requirement_failed']);
/** Of each type: its variant. */
const VARIANTS = { request: 'envelope', terminal: 'terminal', diverged: 'divergence' };

/** Whether a supervisor may go on with an output. */
export function isAdmissible(output: unknown): boolean {
  if (!isRecord(output)) return false;
  const type = output['type'];
  if (type !== 'request' && type !== 'terminal' && type !== 'diverged') return false;
  const variant = VARIANTS[type];
  const requirements = output['requirements'] ?? [];
  return (
    hasOnly(output, ['type', variant, 'requirements']) &&
    Array.isArray(requirements) &&
    requirements.every(isRequirement) &&
    CHECKS[type](output[variant])
  );
}

const CHECKS: Readonly<Record<keyof typeof VARIANTS, (variant: unknown) => boolean>> = {
  request: (envelope) =>
    isRecord(envelope) &&
    hasOnly(envelope, ['protocol', 'run_id', 'skill', 'sequence', 'request']) &&
    envelope['protocol'] === 'yield.v1' &&
    isNamed(envelope['run_id']) &&
    isPosition(envelope['sequence']) &&
    isRecord(envelope['skill']) &&
    hasOnly(envelope['skill'], ['name', 'digest', 'version']) &&
    isNamed(envelope['skill']['name']) &&
    isDigest(envelope['skill']['digest']) &&
    isRequest(envelope['request']),
  terminal: (terminal) =>
    isRecord(terminal) &&
    hasOnly(terminal, ['status', 'result', 'reason']) &&
    STATUSES.has(terminal['status']),
  diverged: (divergence) =>
    isRecord(divergence) &&
    hasOnly(divergence, ['sequence', 'expected_digest', 'got_digest', 'detail']) &&
    isPosition(divergence['sequence']) &&
    isDigest(divergence['expected_digest']) &&
    isDigest(divergence['got_digest']),
};

function isRequest(request: unknown): boolean {
  return (
    isRecord(request) &&
    hasOnly(request, ['id', 'kind', 'payload', 'output_schema']) &&
    isNamed(request['id']) &&
    KINDS.has(request['kind']) &&
    'payload' in request
  );
}

function isRequirement(requirement: unknown): boolean {
  return (
    isRecord(requirement) &&
    hasOnly(requirement, ['claim', 'passed', 'evidence_digest']) &&
    isNamed(requirement['claim']) &&
    typeof requirement['passed'] === 'boolean' &&
    (requirement['evidence_digest'] === undefined || isDigest(requirement['evidence_digest']))
  );
}

function hasOnly(value: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function isNamed(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isPosition(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1;
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && DIGEST.test(value);
}
