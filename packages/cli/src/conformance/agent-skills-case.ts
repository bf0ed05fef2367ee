/** One case of the suite `agent-skills`: what it gives is compared with what is expected of it. */
export interface AgentSkillsCase {
  readonly id: string;
  readonly op: 'load' | 'activate' | 'validate' | 'catalog';
  readonly title: string;
  readonly expected: unknown;
  readonly run: () => Promise<unknown>;
}
