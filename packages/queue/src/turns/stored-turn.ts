import { type JobId, NO_ORIGIN, type TurnId, type TurnOrigin, type TurnOutcome } from '@skillyard/contracts';
import type { Mode, TurnSettings } from '@skillyard/engine';
import type { EndingResult } from './reopenable-end.ts';
import { hasEnded, type TurnState, type TurnView } from './turn-status.ts';

/** What a turn is started with. */
export interface TurnInput {
  readonly vars: Readonly<Record<string, string>>;
  readonly settings: Partial<TurnSettings>;
}

/** Where a turn comes from. */
export interface Lineage {
  readonly parent: JobId | null;
  /** Delegations above it. */
  readonly depth: number;
  /** The first turn of the chain of delegations; the turn itself when it was submitted from outside. */
  readonly root: TurnId;
}

/** A turn as it is stored. */
export interface StoredTurn {
  readonly view: TurnView;
  readonly version: number;
  /** Hash of the skill's text. */
  readonly skill: string;
  /** What messages call the skill's file. */
  readonly file: string;
  /** The description of the skill that was asked for; null: the one that is in effect. */
  readonly mode: Mode | null;
  readonly lineage: Lineage;
  /** Of a turn that has not started; its records hold them later. */
  readonly input: TurnInput | null;
  /** Of an ended turn: what ended it first, if it can be reopened. */
  readonly endedBy: EndingResult | null;
  /** All results that ended it, or are bound to when what still runs has ended. */
  readonly fatal: readonly EndingResult[];
  /** Step events since the first of them, those of its own commit included. */
  readonly endedRows: number;
  /** Whether it was reopened, and has not been gone on with since. */
  readonly reopened: boolean;
  /** Hash of what was asked for, if whoever submitted it said so. */
  readonly requestHash: string | null;
}

/** Reads the hash that holds what is known of a turn. */
export function storedTurn(turnId: TurnId, meta: Readonly<Record<string, string>>): StoredTurn {
  const status = meta['status'] as TurnState;
  const parent = (meta['parent'] ?? null) as JobId | null;
  const fatal = JSON.parse(`[${meta['fatal'] ?? ''}]`) as EndingResult[];
  return {
    view: turnView(turnId, status, meta),
    version: Number(meta['version'] ?? 0),
    skill: meta['skill'] ?? '',
    file: meta['file'] ?? '',
    mode: (meta['mode'] ?? null) as Mode | null,
    lineage: { parent, depth: Number(meta['depth'] ?? 0), root: (meta['root'] ?? turnId) as TurnId },
    input: status === 'queued' ? inputOf(meta) : null,
    endedBy: hasEnded(status) ? (fatal[0] ?? null) : null,
    fatal,
    endedRows: Number(meta['fatalRows'] ?? 0),
    reopened: meta['reopened'] !== undefined,
    requestHash: meta['request'] ?? null,
  };
}

/** What of it is for everybody who may see the turn. */
function turnView(turnId: TurnId, status: TurnState, meta: Readonly<Record<string, string>>): TurnView {
  return {
    turnId,
    status,
    submittedAtMs: Number(meta['submittedAtMs']),
    startedAtMs: meta['startedAtMs'] === undefined ? null : Number(meta['startedAtMs']),
    endedAtMs: meta['endedAtMs'] === undefined ? null : Number(meta['endedAtMs']),
    outcome: hasEnded(status) ? (JSON.parse(meta['outcome'] ?? 'null') as TurnOutcome) : null,
    parent: (meta['parent'] ?? null) as JobId | null,
    skillName: meta['name'] ?? meta['file'] ?? '',
    skillHash: meta['skill'] ?? '',
    origin: meta['origin'] === undefined ? NO_ORIGIN : (JSON.parse(meta['origin']) as TurnOrigin),
    // What an ended turn waited for is kept for whoever reopens it.
    waiting: hasEnded(status) ? 0 : Number(meta['waiting'] ?? 0),
  };
}

function inputOf(meta: Readonly<Record<string, string>>): TurnInput {
  return {
    vars: JSON.parse(meta['vars'] ?? '{}') as Record<string, string>,
    settings: JSON.parse(meta['settings'] ?? '{}') as Partial<TurnSettings>,
  };
}
