import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SUITE = fileURLToPath(new URL('../types-test/', import.meta.url));
const RECORDED = fileURLToPath(new URL('../../../conformance/kit/types/type-assertions.ts', import.meta.url));
const AUTHORING = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** What a strict project of an author has. */
const STRICT: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  customConditions: ['@skillyard/source'],
  paths: { '@contentful/skill-kit': [AUTHORING] },
};

const files = readdirSync(SUITE)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `${SUITE}${name}`);

describe('the types of the authoring API', () => {
  // One program for all files: reading the libraries is most of the work.
  const program = ts.createProgram([...files, RECORDED], STRICT);

  it('hold in a strict project, and every expected error is one', { timeout: 120_000 }, () => {
    const found = ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
      if (diagnostic.file === undefined) return message;
      const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
      return `${diagnostic.file.fileName}:${line + 1} ${message}`;
    });
    expect(found).toEqual([]);
  });

  it('are held by at least 120 assertions', () => {
    const count = files.reduce((sum, file) => sum + assertionsIn(program.getSourceFile(file)), 0);
    expect(count).toBeGreaterThanOrEqual(120);
  });
});

/** Calls of `exactly` and expected errors; the compiler refuses an expected error that is none. */
function assertionsIn(source: ts.SourceFile | undefined): number {
  if (source === undefined) throw new Error('a file of the suite is not in the program');
  let count = source.text.match(/^\s*\/\/ @ts-expect-error/gmu)?.length ?? 0;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'exactly')
      count++;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return count;
}
