import {
  type AssetSource,
  type JobId,
  type JsonObject,
  SkillyardError,
  type TurnId,
} from '@skillyard/contracts';
import { expandWholeArguments } from '../flow/arguments.ts';
import type { Environment } from '../flow/environment.ts';
import type { AssetCode } from './program.ts';

/** An asset as it is asked for: with the args that hold where it is needed. */
export interface AssetRequest {
  readonly name: string;
  /** The key of its record, and the id of its job: one per turn, asset and args, whichever scope asks first. */
  readonly key: string;
  readonly jobId: JobId;
  readonly source: AssetSource;
  /** The first reference of its args whose whole value could not be read; empty when all could. */
  readonly unreachable: string;
}

/**
 * Puts the values into the args of an asset.
 *
 * Scopes that run at once may hold other values, and which of them asks first depends on the order of results (M2). So
 * args are part of what an asset is, and of its id: who asks with the same ones shares it, whoever was first.
 *
 * @param env notes what is not there yet; the request is void then
 * @throws SkillyardError ASSET_UNAVAILABLE if its args name an asset; and what an argument of a call may fail with
 */
export function requestAsset(turnId: TurnId, name: string, code: AssetCode, env: Environment): AssetRequest {
  const id = `${turnId}.a${code.index}`;
  if (code.args === null) {
    return { name, key: `asset:${name}`, jobId: id as JobId, source: code.source, unreachable: '' };
  }
  const { args, unreachable } = expandWholeArguments(code.args, {
    vocabulary: env.vocabulary,
    variable: (variable) => env.variable(variable),
    memory: (handle, at) => env.memory(handle, at),
    // An asset in an asset would have to be kept from leading back to itself, and from doubling with every level.
    asset: (inner) => {
      const message = `the args of asset "${name}" name asset "${inner}"; only variables are put in there. Write its text, or use a call step`;
      throw new SkillyardError('ASSET_UNAVAILABLE', message);
    },
  });
  const mark = fingerprint(args);
  const source = { ...code.source, args };
  return { name, key: `asset:${name} ${mark}`, jobId: `${id}.${mark}` as JobId, source, unreachable };
}

/**
 * 64 bits that tell args apart: two multiplicative hashes over the UTF-16 units of their JSON, mixed at the end (cyrb53,
 * public domain, without its cut to 53 bits). Ten thousand different args in one turn collide once in 10^11 turns. Not
 * made against intent, and need not be: whoever chooses args chooses those of one turn.
 */
function fingerprint(args: JsonObject): string {
  const text = JSON.stringify(args);
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  const mixedA = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  const mixedB = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(mixedA ^ (mixedA >>> 13), 3266489909);
  return hex(mixedA) + hex(mixedB);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
