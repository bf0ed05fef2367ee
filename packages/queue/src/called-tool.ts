import type { StepJob } from '@skillyard/contracts';
import { splitToolRef, type ToolRef } from '@skillyard/engine';

/**
 * The tool that a worker calls for a job: that of a call, and that of an asset which is read from a tool server.
 * @returns null for every other job, and for an asset whose ref names no tool
 */
export function calledTool(job: StepJob): ToolRef | null {
  if (job.kind === 'call') return { server: job.server, tool: job.tool };
  if (job.kind !== 'asset' || job.asset.source !== 'mcp' || job.asset.content.trim() !== '') return null;
  return splitToolRef(job.asset.ref) ?? null;
}
