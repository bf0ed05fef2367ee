import type { Config, PolicyFile } from '@skillyard/contracts';
import type { Skill } from '@skillyard/engine';

export class Policy {
  readonly #file: PolicyFile | null;

  constructor(file: PolicyFile | null) {
    this.#file = file;
  }

  static async load({ policy }: Pick<Config, 'policy'>): Promise<Policy> {
    if (policy === undefined) return new Policy(null);
    throw new Error('not yet');
  }

  refusal(_roles: readonly string[] | null, _server: string, _tool: string): string | null {
    return this.#file === null ? null : 'not yet';
  }

  checkDeclared(_skill: Skill, _roles: readonly string[] | null): void {}
}
