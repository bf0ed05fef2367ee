import { Config, type Diagnostic } from '@skillyard/contracts';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { checkClasses, checkServerNames } from './check-classes.ts';
import { checkService } from './check-service.ts';
import type { ConfigDocument } from './config-document.ts';
import { at, describeConfigError, missing } from './describe-config-error.ts';
import { suggest } from './nearest.ts';

let compiled: ValidateFunction<Config> | undefined;

/**
 * Checks a parsed configuration file against the schema.
 * @returns one diagnostic per mistake, in the order of the file; none when all is well
 */
export function checkConfig(document: ConfigDocument): Diagnostic[] {
  compiled ??= new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    allowUnionTypes: true,
  }).compile<Config>(Config);
  if (compiled(document.value)) return checkNames(document, document.value);
  const diagnostics = relevantErrors(compiled.errors ?? []).map((error) =>
    describeConfigError(document, error),
  );
  return inFileOrder(diagnostics);
}

/** What the schema cannot say: names that must exist elsewhere in the file, and addresses that must be addresses. */
function checkNames(document: ConfigDocument, config: Config): Diagnostic[] {
  const diagnostics: Diagnostic[] = [
    ...checkClasses(document, config),
    ...checkServerNames(document, config),
    ...checkService(document, config),
  ];
  const models = Object.keys(config.models ?? {});
  const chosen = config.default_model;
  if (chosen !== undefined && !models.includes(chosen)) {
    const hint =
      models.length === 0 ? 'no models are configured: add it under `models:`' : suggest(chosen, models);
    diagnostics.push(
      at(
        document,
        ['default_model'],
        'value',
        `default_model names "${chosen}", which is not under models`,
        hint,
      ),
    );
  }
  for (const [name, model] of Object.entries(config.models ?? {})) {
    if ('base_url' in model) checkUrl(['models', name, 'base_url'], model.base_url);
  }
  for (const [name, server] of Object.entries(config.servers ?? {})) {
    if ('url' in server) checkUrl(['servers', name, 'url'], server.url);
  }
  if (config.redis?.url !== undefined) checkUrl(['redis', 'url'], config.redis.url);
  for (const [index, { pattern }] of (config.lint?.stale_apis ?? []).entries()) {
    const mistake = patternMistake(pattern);
    if (mistake === undefined) continue;
    const path = ['lint', 'stale_apis', String(index), 'pattern'];
    diagnostics.push(at(document, path, 'value', `${path.join('.')} is no regular expression`, mistake));
  }
  return inFileOrder(diagnostics);

  function checkUrl(path: string[], text: string | undefined): void {
    if (text === undefined || URL.canParse(text)) return;
    const example = path[0] === 'redis' ? 'redis://127.0.0.1:6379' : 'http://127.0.0.1:8080/v1';
    diagnostics.push(
      at(document, path, 'value', `${path.join('.')} is no address`, `write it in full, such as ${example}`),
    );
  }
}

/**
 * The errors a person should see. Of a union (a model by its provider, a server by command or url), only those of the
 * alternative that was most likely meant.
 */
function relevantErrors(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  const kept = errors.filter((error) => !unions.some((union) => isBelow(error, union) || error === union));
  for (const union of unions) {
    const alternatives = new Map<string, ErrorObject[]>();
    for (const error of errors) {
      if (error === union || !isBelow(error, union)) continue;
      const number = error.schemaPath.slice(union.schemaPath.length + 1).split('/', 1)[0] ?? '';
      alternatives.set(number, [...(alternatives.get(number) ?? []), error]);
    }
    const ranked = [...alternatives.values()].toSorted((a, b) => cost(a, union) - cost(b, union));
    const best = ranked[0] ?? [];
    const undecided = ranked.length > 1 && cost(best, union) >= WRONG_ALTERNATIVE;
    kept.push(...(undecided ? [union] : best));
  }
  return kept;
}

/** Why a text is no regular expression of the kind the linter uses. */
function patternMistake(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const WRONG_ALTERNATIVE = 100;

/** How unlike an alternative the value is. A provider of another name, or the key that makes it out missing, decides. */
function cost(errors: readonly ErrorObject[], union: ErrorObject): number {
  let sum = 0;
  for (const error of errors) {
    const direct = error.instancePath === union.instancePath;
    const other = error.keyword === 'const' || (error.keyword === 'type' && direct);
    const lacksMark =
      error.keyword === 'required' && direct && ['command', 'url', 'provider'].includes(missing(error));
    sum += other || lacksMark ? WRONG_ALTERNATIVE : 1;
  }
  return sum;
}

function isBelow(error: ErrorObject, union: ErrorObject): boolean {
  return (
    error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath)
  );
}

function inFileOrder(diagnostics: Diagnostic[]): Diagnostic[] {
  const line = (one: Diagnostic): number => one.position?.line ?? 0;
  const column = (one: Diagnostic): number => one.position?.column ?? 0;
  return diagnostics.toSorted((a, b) => line(a) - line(b) || column(a) - column(b));
}
