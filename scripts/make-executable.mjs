// `tsc` writes plain files: give the commands their executable bit.
import { chmodSync, existsSync, readFileSync } from 'node:fs';

for (const name of ['cli', 'kit', 'program']) {
  const home = new URL(`../packages/${name}/`, import.meta.url);
  const { bin } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
  for (const path of Object.values(bin)) {
    const file = new URL(path, home);
    if (existsSync(file)) chmodSync(file, 0o755);
  }
}
