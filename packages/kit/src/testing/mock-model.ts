/** Plays the agent in a test. */
export interface ModelAdapter {
  /** The answer to the prompt of a step. */
  respond(step: string, prompt: string): unknown;
}
