export { type ConfigSource, loadConfig, type LoadedConfig } from './config/load-config.ts';
export { nearest, suggest } from './config/nearest.ts';
export { redisUrl } from './config/redis-url.ts';
export { createSkillFinder, type SkillFinder } from './skills/find-skill.ts';
