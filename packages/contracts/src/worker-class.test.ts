import { describe, expect, it } from 'vitest';
import type { Config } from './config.ts';
import type { StepJob } from './step-job.ts';
import { classOfCode, classOfServer, namesInClass, serversOfClass, workerClasses } from './worker-class.ts';

const CONFIG: Config = {
  models: { fast: { provider: 'openai', model: 'x' }, wise: { provider: 'openai', model: 'y' } },
  servers: {
    pantry: { url: 'http://pantry', class: 'kitchen' },
    oven: { url: 'http://oven', class: 'kitchen' },
    gitlab: { url: 'http://gitlab' },
  },
};

describe('the classes of a configuration', () => {
  it('are the models, what comes with us, code and commands of skills, and those of the servers, each once', () => {
    expect(workerClasses(CONFIG)).toEqual(['model', 'builtin', 'action', 'command', 'kitchen', 'gitlab']);
    expect(workerClasses({})).toEqual(['model', 'builtin', 'action', 'command']);
  });

  it('serve the servers that name them, or that have their name', () => {
    expect(serversOfClass('kitchen', CONFIG)).toEqual(['pantry', 'oven']);
    expect(serversOfClass('model', CONFIG)).toEqual([]);
    expect(classOfServer('gitlab', CONFIG)).toBe('gitlab');
    expect(classOfServer('builtin', CONFIG)).toBe('builtin');
  });

  it('are told for jobs of code by what asked for them, whatever servers there are', () => {
    const at = { code: { runtime: 'program', name: 'p', sha256: 'a'.repeat(64) }, journal: 'j', rounds: 1 };
    const jobs = [
      { kind: 'decide', at },
      { kind: 'call', server: 'command', at },
      { kind: 'call', server: 'action', at },
    ];
    expect([...jobs, { kind: 'call', server: 'command' }].map((job) => classOfCode(job as StepJob))).toEqual([
      'action',
      'command',
      'action',
      null,
    ]);
  });

  it('rank their jobs by model or by server', () => {
    expect(namesInClass('model', CONFIG)).toEqual(['fast', 'wise']);
    expect(namesInClass('kitchen', CONFIG)).toEqual(['pantry', 'oven']);
    expect(namesInClass('builtin', CONFIG)).toEqual(['builtin']);
    expect(namesInClass('pantry', CONFIG)).toEqual([]);
  });
});
