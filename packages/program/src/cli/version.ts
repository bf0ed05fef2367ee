import { SUPERVISOR_VERSION } from '../supervisor/supervisor-version.ts';
import type { Verb } from './verb.ts';

/** Platforms and processors have the names here that other supervisors of the protocol give them. */
const PLATFORMS: Readonly<Record<string, string>> = { win32: 'windows' };
const PROCESSORS: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

export const versionVerb: Verb = {
  name: 'version',
  usage: '',
  summary: 'print the release of the protocol that programs are held to',
  flags: {},
  async run({ io }) {
    const platform = PLATFORMS[process.platform] ?? process.platform;
    const processor = PROCESSORS[process.arch] ?? process.arch;
    io.stdout(`skillyard-program ${SUPERVISOR_VERSION} ${platform}/${processor}\n`);
    return 0;
  },
};
