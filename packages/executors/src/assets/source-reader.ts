import type { AssetJob, AssetSource } from '@skillyard/contracts';

/**
 * One kind of place that assets come from.
 *
 * R1 What cannot be had is thrown as ASSET_UNAVAILABLE with what is wrong, where, and what to do. Whether it may be
 *    there in a moment is part of the error (asset-failure.ts).
 * R2 Nothing is tried twice here, and nothing is kept: the policy of the asset says how often and how long.
 * R3 A read ends soon after its signal is aborted.
 * R4 No message holds a secret of the configuration.
 */
export interface SourceReader {
  /** What a ref means beyond its words, such as the folder it starts at. Part of the key that copies are kept under. */
  placeOf(asset: AssetSource): string;
  read(job: AssetJob, signal: AbortSignal): Promise<string>;
}
