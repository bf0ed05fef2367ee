import { describe, expect, it } from 'vitest';
import type { Config } from './config.ts';
import { classOfServer, namesInClass, serversOfClass, workerClasses } from './worker-class.ts';

const CONFIG: Config = {
  models: { fast: { provider: 'openai', model: 'x' }, wise: { provider: 'openai', model: 'y' } },
  servers: {
    pantry: { url: 'http://pantry', class: 'kitchen' },
    oven: { url: 'http://oven', class: 'kitchen' },
    gitlab: { url: 'http://gitlab' },
  },
};

describe('the classes of a configuration', () => {
  it('are the models, what comes with us, the code of skills, and those of the servers, each once', () => {
    expect(workerClasses(CONFIG)).toEqual(['model', 'builtin', 'action', 'kitchen', 'gitlab']);
    expect(workerClasses({})).toEqual(['model', 'builtin', 'action']);
  });

  it('serve the servers that name them, or that have their name', () => {
    expect(serversOfClass('kitchen', CONFIG)).toEqual(['pantry', 'oven']);
    expect(serversOfClass('model', CONFIG)).toEqual([]);
    expect(classOfServer('gitlab', CONFIG)).toBe('gitlab');
    expect(classOfServer('builtin', CONFIG)).toBe('builtin');
  });

  it('rank their jobs by model or by server', () => {
    expect(namesInClass('model', CONFIG)).toEqual(['fast', 'wise']);
    expect(namesInClass('kitchen', CONFIG)).toEqual(['pantry', 'oven']);
    expect(namesInClass('builtin', CONFIG)).toEqual(['builtin']);
    expect(namesInClass('pantry', CONFIG)).toEqual([]);
  });
});
