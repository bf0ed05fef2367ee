import { dirname } from 'node:path';
import { type Config, type Diagnostic, SkillyardError } from '@skillyard/contracts';
import { type ModelFacts, type Preflight, preflight, reaches } from '@skillyard/lint';
import { createSkillFinder, turnSettings } from '@skillyard/runtime';
import type { ConfigsBeside } from '../commands/configs-beside.ts';
import type { Installations } from '../lint/installation.ts';
import { type FileReport, lintFile } from '../lint/lint-files.ts';
import { type LoopReport, reportLoops } from '../skill/loop-report.ts';
import { loadSkillFile } from '../skill/read-skill.ts';
import type { Surroundings } from '../surroundings.ts';
import { withResolvedServers } from './with-resolved-servers.ts';

/** What a skill must not do to pass. */
export interface Gates {
  /** The most that a turn may cost. */
  readonly maxCost?: number;
  /** `server:tool`, or `server` for all of its tools. */
  readonly forbidden: readonly string[];
}

/** Everything that can be said of one file before it runs. */
export interface CheckReport {
  readonly file: string;
  /** Why it is refused; then there is nothing else to say. */
  readonly diagnostics: readonly Diagnostic[];
  readonly lint: FileReport;
  readonly loops: readonly LoopReport[];
  readonly preflight: Preflight | null;
  /** Gates that it does not pass, as sentences. */
  readonly broken: readonly string[];
}

/** Tokens of a generation, where neither the skill nor the configuration says. */
const INPUT_TOKENS = 8000;
const OUTPUT_TOKENS = 1000;

/** Checks one file: validation, lint, and what it may do. */
export async function checkFile(
  file: string,
  gates: Gates,
  surroundings: Surroundings,
  known: { readonly configs: ConfigsBeside; readonly installations: Installations },
): Promise<CheckReport> {
  const lint = await lintFile(file, surroundings, known);
  const nothing = { file, lint, diagnostics: [], loops: [], preflight: null, broken: [] };
  try {
    const source = await loadSkillFile(file, surroundings.cwd);
    if ('diagnostics' in source) return { ...nothing, diagnostics: source.diagnostics };
    const { config } = await known.configs.beside(dirname(source.path));
    const finder = createSkillFinder([...(config.skills ?? []), dirname(source.path)]);
    const skill = await withResolvedServers(source.skill, (name) => finder.read(name));
    const report = preflight(skill, {
      effects: turnSettings(config).effects,
      modelOf: (model) => modelFacts(config, model),
      guess: {
        input: config.check?.input_tokens ?? INPUT_TOKENS,
        output: config.check?.output_tokens ?? OUTPUT_TOKENS,
      },
    });
    const loops = report.mode === 'workflow' ? reportLoops(skill, config) : [];
    return { ...nothing, loops, preflight: report, broken: brokenGates(report, gates) };
  } catch (error) {
    if (!SkillyardError.is(error)) throw error;
    const { code, message } = error;
    return { ...nothing, diagnostics: [{ code, severity: 'error', message, file }] };
  }
}

function modelFacts(config: Config, model: string): ModelFacts {
  const found = config.models?.[model === '' ? (config.default_model ?? '') : model];
  // Answers from a file cost nothing.
  const price = found?.provider === 'scripted' ? { input: 0, output: 0 } : found?.price;
  return { price, maxOutputTokens: found?.max_output_tokens };
}

function brokenGates({ reach, envelope }: Preflight, { maxCost, forbidden }: Gates): string[] {
  const broken = forbidden.flatMap((wanted) => {
    const steps = reach.filter(({ tools }) => tools.some((tool) => reaches(tool, wanted)));
    return steps.map(({ step, position }) => `line ${position.line}: "${step}" can reach ${wanted}`);
  });
  if (maxCost === undefined) return broken;
  const { cost, unpriced } = envelope;
  if (cost === null) {
    const models = unpriced.map((model) => (model === '' ? 'the default model' : `"${model}"`)).join(', ');
    broken.push(`its cost is not known: ${models} has no \`price\` under \`models\` in the configuration`);
  } else if (cost > maxCost) {
    broken.push(`it may cost ${money(cost)}, more than ${money(maxCost)}`);
  }
  return broken;
}

/** An amount, without a currency: prices are in whatever the configuration says. */
export function money(amount: number): string {
  return amount >= 1 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2);
}
