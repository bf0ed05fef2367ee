/** Serves a skill of this folder over stdio: `serve-skill.ts <skill> [host] [session folder]`. */
import { fileURLToPath } from 'node:url';
import { serveMcp } from '../../src/mcp/index.ts';
import { SKILLS } from './skills.ts';

const [name = '', host = 'generic', sessionDir] = process.argv.slice(2);
const definition = SKILLS[name];
if (definition === undefined) {
  throw new Error(`no skill is named "${name}"`);
}
await serveMcp(definition, {
  host,
  skillDir: fileURLToPath(new URL('.', import.meta.url)),
  ...(sessionDir === undefined ? {} : { sessionDir }),
});
