import { type Diagnostic, formatPlace, LintFacts, SkillyardError } from '@skillyard/contracts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type ConfigDocument, parseConfigDocument } from './config-document.ts';
import { describeConfigError } from './describe-config-error.ts';

let compiled: ValidateFunction<LintFacts> | undefined;

/**
 * Reads what a facts file says of an installation: JSON, or the same as YAML.
 * @param file what messages call it
 * @throws SkillyardError INPUT_INVALID with every mistake, each with its place and a way out
 */
export function parseLintFacts(text: string, file: string): LintFacts {
  const document = parseConfigDocument(text);
  if (!('value' in document)) {
    const { message, position } = document;
    const hint = 'write a JSON object of facts, such as {"server_names": ["depot"]}';
    throw invalid(file, [{ code: 'INPUT_INVALID', severity: 'error', message, hint, position }]);
  }
  const mistakes = checkFacts(document);
  if (mistakes.length > 0) throw invalid(file, mistakes);
  return document.value as LintFacts;
}

function checkFacts(document: ConfigDocument): readonly Diagnostic[] {
  compiled ??= new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<LintFacts>(LintFacts);
  if (compiled(document.value)) return [];
  return (compiled.errors ?? []).map((error) => describeConfigError(document, error));
}

function invalid(file: string, mistakes: readonly Diagnostic[]): SkillyardError {
  const lines = mistakes.map((one) => `${formatPlace({ ...one, file })}: ${one.message}; ${one.hint ?? ''}`);
  const { line, column } = mistakes[0]?.position ?? { line: 1, column: 1 };
  return new SkillyardError('INPUT_INVALID', lines.join('\n'), { details: { file, line, column } });
}
