import type { JsonObject } from '@skillyard/contracts';
import type { Preflight } from './preflight.ts';

/** A pre-flight as JSON can hold it. */
export function preflightDocument(report: Preflight): JsonObject {
  const { byModel, ...worst } = report.worst;
  const plain = { ...report, worst: { ...worst, byModel: Object.fromEntries(byModel) } };
  // Interfaces have no index signature; what it holds is plain.
  return plain as unknown as JsonObject;
}
