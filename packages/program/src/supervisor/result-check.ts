/**
 * Checks a result against the schema of its operation: JSON Schema 2020-12 unless `$schema` names an older draft. Numbers are compared
 * exactly, however large; `format` is asserted by draft-07 and older ones only.
 * @param schemaText the text of the schema; `null` asks for nothing
 * @param resultText the text of the result
 * @returns the problem in words; null: it fits
 */
export function checkResult(_schemaText: string, _resultText: string): string | null {
  return 'not there yet';
}
