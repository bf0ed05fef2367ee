export type { ModelAdapter } from './mock-model.ts';
