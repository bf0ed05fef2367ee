export type { TelemetryLog } from './export-complaints.ts';
export type { Load, QueueLoad } from './load-metrics.ts';
export { startTelemetry, Telemetry, type TelemetryOptions, type TraceFields } from './telemetry.ts';
export type { TracedTurn } from './traced-turn.ts';
export type { TurnProgress } from './turn-spans.ts';
