export { ApiKeys, looksLikeApiKey } from './access/api-keys.ts';
export { AuditLog, type AuditQuery } from './access/audit-log.ts';
export { type RateReply, RequestRates } from './access/request-rates.ts';
export { DEFAULT_PREFIX, DEFAULT_SHARDS, Keys, type ShardKeys, type TurnKeys } from './keys.ts';
export { connect, type ConnectOptions, type QueueConnection } from './connection.ts';
export { redactUrl } from './redact-url.ts';
export { redisAway } from './redis-away.ts';
export type { Delivery, JobEnvelope, TurnMessage } from './envelope.ts';
export { calledTool } from './called-tool.ts';
export { insist } from './insist.ts';
export { effectOf, queueOf, queueOfClass } from './step-route.ts';
export { MODEL_CLASS } from '@skillyard/contracts';
export { StepQueues, type StepQueuesOptions } from './step-queues.ts';
export { ClassCapacity } from './tenants/class-capacity.ts';
export { delayedJobs } from './tenants/delayed-jobs.ts';
export { HeldJobs, type HeldCounts, type TenantJobs } from './tenants/held-jobs.ts';
export type { TicketRequest } from './ticket-request.ts';
export { type OnTransition, type Transition, TRANSITIONS } from './transition.ts';
export { postCancel, postExpiry, postKept, postResult, postStart } from './results/post-result.ts';
export { ResultsConsumer, type ResultsConsumerOptions } from './results/results-consumer.ts';
export { LEASE_TIMES, type LeaseTimes, ShardLeases, type ShardLeasesOptions } from './shards/shard-leases.ts';
export {
  type StoredState,
  type SubmittedTurn,
  type TurnChanges,
  TurnStore,
  type TurnStoreOptions,
} from './turns/turn-store.ts';
export type { Lineage, StoredTurn, TurnInput } from './turns/stored-turn.ts';
export { childTurnId } from './turns/child-turn-id.ts';
export type { EndingResult, ReopenableEnd } from './turns/reopenable-end.ts';
export { hasEnded, type TurnState, type TurnView } from './turns/turn-status.ts';
export { submitTurn, type TurnRequest } from './turns/submit-turn.ts';
export { startTimersWorker, Timers, type TimersWorkerOptions } from './turns/timers.ts';
export { TurnIndex, type TurnListPage, type TurnListQuery } from './turns/turn-index.ts';
export { TurnClient, type TurnSubmission } from './turns/turn-client.ts';
export type { WatchedEvent, WatchOptions } from './turns/watch-turn.ts';
export { type Hold, type JobExplanation, targetOf } from './operator/explain-job.ts';
export {
  type FailedJob,
  failedJob,
  FailedJobs,
  type FailedJobsPage,
  type FailingJob,
} from './operator/failed-jobs.ts';
export { type InspectedJob, Operator, type RedriveReport } from './operator/operator.ts';
export { followReopening, type Remedy } from './operator/reopen-turn.ts';
export { explainTurn, type TurnExplanation } from './operator/why.ts';
export { nextFiringMs } from './schedules/cron.ts';
export { Schedules, type StoredSchedule } from './schedules/schedules.ts';
export {
  type DueFiring,
  startSchedulesWorker,
  type SchedulesWorkerOptions,
} from './schedules/schedules-worker.ts';
export { type UploadedSkill, UploadedSkills, type UploadedVersion } from './skills/uploaded-skills.ts';
export { QueueControl } from './operator/queue-control.ts';
export { enterQuestion, leaveQuestions } from './questions/list-question.ts';
export { type QuestionListPage, type QuestionListQuery, Questions } from './questions/questions.ts';
export { HistoryWriter } from './history/history-writer.ts';
export { JobHistory, type KeptJobs } from './history/job-history.ts';
export { RedisConversations } from './stores/redis-conversations.ts';
export { RedisJournal } from './stores/redis-journal.ts';
export { RedisMemory } from './stores/redis-memory.ts';
export { type PublishedTools, RedisToolCatalog } from './stores/redis-tool-catalog.ts';
export {
  webhookId,
  WebhookQueue,
  type WebhookQueueOptions,
  type WebhookTicket,
} from './webhooks/webhook-queue.ts';
export { startWebhookWorker, type WebhookWorkerOptions } from './webhooks/webhook-worker.ts';
export { publishAborts } from './worker/aborts.ts';
export type { ClassLimits } from './worker/class-limits.ts';
export type { ExecuteJob } from './worker/execute-job.ts';
export type { OnAttempt } from './worker/job-attempt.ts';
export { type Heartbeat, type HeartbeatOptions, startHeartbeat } from './worker/heartbeat.ts';
export { startStepWorker, type StepWorker } from './worker/step-worker.ts';
export type { StepWorkerOptions } from './worker/step-worker-options.ts';
export type { WorkerNotice } from './worker/worker-notice.ts';
