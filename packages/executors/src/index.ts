export type { Executor, JobContext } from './executor.ts';
export { createExecutors, type Executors, type ExecutorsOptions } from './executors.ts';
export { createRedactor, type Environment, type Redact } from './redaction.ts';
export { abortError, failure, type Outcome } from './step-failure.ts';
export {
  handleFor,
  type LocalMemory,
  localMemory,
  type MemoryValue,
  type WorkingMemory,
} from './memory/working-memory.ts';
export { answerMemory } from './memory/answer-memory.ts';
export { DEFAULT_PREVIEW_BYTES, preview, storeLarge } from './memory/preview.ts';
export type { AssistantPart, Message, ReplyPart } from './model/message.ts';
export {
  type ConversationStore,
  type LocalConversations,
  localConversations,
} from './model/conversation-store.ts';
export { configuredEffect, type ToolCatalog, type ToolDescription } from './tools/tool-servers.ts';
