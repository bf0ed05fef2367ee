export { type ConfigSource, loadConfig, type LoadedConfig } from './config/load-config.ts';
export { nearest, suggest } from './config/nearest.ts';
export { redisUrl } from './config/redis-url.ts';
export { retryPolicy } from './config/retry-policy.ts';
export { turnSettings } from './config/turn-settings.ts';
export { createSkillFinder, type SkillFinder } from './skills/find-skill.ts';
export { runTurn, type RunOptions, type TurnReport } from './local/run-turn.ts';
export { type RetryOptions, withRetries } from './local/with-retries.ts';
export type { Execute, JobContext } from './local/running-job.ts';
