import { existsSync, openSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** A disk without room, where there is one. */
const FULL = '/dev/full';

describe.skipIf(!existsSync(FULL))('a standard output that cannot be written', () => {
  it('is said in a line, and is no verdict of the command', async () => {
    const child = spawn(process.execPath, [MAIN, 'schema'], {
      stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect(stderr).toMatch(/^error FILE_UNWRITABLE: standard output cannot be written: .+\n$/);
    expect(code).not.toBe(0);
    expect(code).not.toBe(1);
  });
});
