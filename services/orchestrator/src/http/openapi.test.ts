import { API_ROUTES } from '@skillyard/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { docsPage } from './docs-page.ts';
import { openApiDocument } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly requestBody?: { readonly required: boolean };
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

const document = openApiDocument('https://skillyard.example') as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const operation = (name: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

describe('the OpenAPI document', () => {
  it('is a valid one of version 3.1', async () => {
    const { valid, errors } = await new Validator().validate(
      JSON.parse(JSON.stringify(document)) as Parameters<Validator['validate']>[0],
    );
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  it('has every operation of the table with its scope and its problems', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(API_ROUTES).toSorted(),
    );
    expect(operation('submitTurn').security).toEqual([{ key: ['submit'] }]);
    expect(operation('getCaller').security).toEqual([{ key: [] }]);
    for (const { responses } of operations)
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['400', '401', '403', '429', '500', '503']),
      );
  });

  it('says which bodies may be left out', () => {
    const isRequired = (name: string): unknown => operation(name).requestBody?.required;
    expect(isRequired('submitTurn')).toBe(true);
    expect(isRequired('cancelTurn')).toBe(false);
  });

  it('names the headers of repeats and of streams, and says what is streamed', () => {
    const headers = ({ parameters }: Operation): string[] =>
      parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    expect(headers(operation('submitTurn'))).toEqual(['Idempotency-Key']);
    expect(headers(operation('watchTurn'))).toEqual(['Last-Event-ID']);
    expect(Object.keys(operation('watchTurn').responses['200']?.content ?? {})).toEqual([
      'text/event-stream',
    ]);
  });

  it('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('is shown whole by a page that needs no script', () => {
    const page = docsPage(openApiDocument());
    for (const name of Object.keys(API_ROUTES)) expect(page).toContain(`id="${name}"`);
    expect(page).toContain('<code>application/json</code> <a href="#schema-TurnRequest">TurnRequest</a>');
    for (const [, id = ''] of page.matchAll(/href="#([\w-]+)"/g)) expect(page).toContain(`id="${id}"`);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('style="');
  });
});
