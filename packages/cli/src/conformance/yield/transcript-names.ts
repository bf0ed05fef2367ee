import { RUN_NAME } from './transcript.ts';

/** An id of a run that no supervisor gives. */
const NO_RUN = 'run_1_0000000000';
const RAW_OUTPUT = /"raw_program_stdout":"(?:[^"\\]|\\.)*"/g;
const DIGEST = /sha256:[0-9a-f]{6,64}/g;

/**
 * What stands for what in a recording: runs, digests of sources, and the folder of it all. Digests of sources are ours because
 * the recorded sources are not all there.
 *
 * N1 A name stands for the same thing from its first use on, and two names for two things.
 * N2 A recorded digest of sources may stand for any digest that the sources of a skill had here at the time, for no other text.
 */
export class TranscriptNames {
  readonly #root: string;
  /** Full digests of sources that are in the recording. */
  readonly #recordedSources: readonly string[];
  readonly #runs = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #ownSources = new Set<string>();

  /** @param recorded all of the recording, as text */
  constructor(root: string, recorded: string) {
    this.#root = root;
    const sources = recorded.matchAll(
      /(?:"skill\\*":\{[^{}]*?"digest\\*":\\*"|"digest\\*": \\*"|"(?:from|to)\\*":\\*"|; digest: )(sha256:[0-9a-f]{64})/g,
    );
    // What a program itself says of its sources is what it says, and no more.
    const said = new Set(recorded.match(RAW_OUTPUT)?.flatMap((output) => output.match(DIGEST) ?? []));
    const digests = new Set([...sources].map(([, digest = '']) => digest));
    this.#recordedSources = [...digests].filter((digest) => !said.has(digest));
  }

  /** Says that the sources of a skill have a digest now. */
  learnSources(digest: string): void {
    this.#ownSources.add(digest);
  }

  /** The run that a name stands for; undefined: it has not been named. */
  runOf(name: string): string | undefined {
    return this.#runs.get(name);
  }

  nameRun(name: string, id: string): void {
    this.#runs.set(name, id);
  }

  isNamed(id: string): boolean {
    return [...this.#runs.values()].includes(id);
  }

  /** A recorded text with what its names stand for: what a command is given. */
  resolve(text: string): string {
    return text
      .replaceAll('<root>', this.#root)
      .replaceAll(RUN_NAME, (name, number: string) => this.#runs.get(name) ?? `${NO_RUN}${number}`);
  }

  /** A text of ours with the names of the recording: what is compared with it. */
  nameAll(text: string, recorded: string): string {
    let named = text.replaceAll(this.#root, '<root>');
    for (const [name, id] of this.#runs) named = named.replaceAll(id, name);
    named = named
      .replaceAll(/run_1_0000000000(\d+)/g, '<run-$1>')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>');
    return this.#nameDigests(named, recorded);
  }

  #nameDigests(text: string, recorded: string): string {
    const expected = recorded.match(DIGEST) ?? [];
    let position = 0;
    return text.replaceAll(DIGEST, (own) => {
      const there = expected[position] ?? '';
      position += 1;
      return there.length === own.length && this.#standsFor(there, own) ? there : own;
    });
  }

  #standsFor(recorded: string, own: string): boolean {
    const source = this.#recordedSources.find((digest) => digest.startsWith(recorded));
    const mine = [...this.#ownSources].find((digest) => digest.startsWith(own));
    if (source === undefined || mine === undefined) return false;
    const known = this.#digests.get(source);
    if (known !== undefined) return known === mine;
    if ([...this.#digests.values()].includes(mine)) return false;
    this.#digests.set(source, mine);
    return true;
  }
}
