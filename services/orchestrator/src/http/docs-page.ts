import { ERRORS } from '@skillyard/contracts';

/** As much of an operation as the page shows. */
interface ShownOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly { readonly key: readonly string[] }[];
  readonly parameters: readonly ShownParameter[];
  readonly requestBody?: ShownContent;
  readonly responses: Readonly<Record<string, ShownContent & { readonly description: string }>>;
}

interface ShownContent {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface ShownParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

/** The page that shows an OpenAPI document, whole and without scripts. */
export function docsPage(document: Readonly<Record<string, unknown>>): string {
  const paths = document['paths'] as Record<string, Record<string, ShownOperation>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  const sections = tags.map((tag) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(tag));
    return `<h2 id="${tag}">${tag}</h2>${own.map(showOperation).join('')}`;
  });
  const { schemas } = document['components'] as { schemas: Record<string, unknown> };
  const shapes = Object.entries(schemas).map(
    ([name, schema]) => `<h3 id="schema-${name}">${name}</h3>${showSchema(schema)}`,
  );
  const codes = Object.entries(ERRORS).map(
    ([code, { http, meaning }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${http}</td><td>${escaped(meaning)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Skillyard API</title><link rel="stylesheet" href="/docs/style.css"></head><body><main>
<h1>Skillyard API</h1>
<p>The same for programs: <a href="/v1/openapi.json">openapi.json</a>. Send a key as <code>authorization: Bearer &lt;key&gt;</code>.</p>
<nav aria-label="Parts of this page">${[...tags, 'schemas', 'codes'].map((one) => `<a href="#${one}">${one}</a>`).join(' ')}</nav>
${sections.join('\n')}
<h2 id="schemas">schemas</h2>${shapes.join('\n')}
<h2 id="codes">codes</h2><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${codes.join('')}</tbody></table>
</main></body></html>
`;
}

function showOperation(shown: { path: string; method: string; operation: ShownOperation }): string {
  const { path, method, operation } = shown;
  const { operationId, summary, security, parameters, requestBody, responses } = operation;
  const scope = security[0]?.key[0] ?? 'none';
  const rows = parameters.map(
    (one) =>
      `<tr><td><code>${one.name}</code></td><td>${one.in}${one.required === true ? ', required' : ''}</td>` +
      `<td>${escaped(one.description ?? '')}</td></tr>`,
  );
  const table = rows.length === 0 ? '' : `<table><tbody>${rows.join('')}</tbody></table>`;
  const body = requestBody === undefined ? '' : `<div>Body: ${nameOf(requestBody)}</div>`;
  const answers = Object.entries(responses).map(([status, answer]) => {
    const isProblem = Number(status) >= 400;
    const what = isProblem || answer.content === undefined ? escaped(answer.description) : nameOf(answer);
    return `<li><code>${status}</code> ${what}</li>`;
  });
  return `<details id="${operationId}"><summary><code>${method} ${escaped(path)}</code> ${escaped(summary)}</summary>
<p>Operation <code>${operationId}</code>, scope <code>${scope}</code>.</p>${table}${body}<ul>${answers.join('')}</ul></details>`;
}

function showSchema(schema: unknown): string {
  return `<pre>${withLinks(JSON.stringify(schema, null, 2))}</pre>`;
}

/** The schema of a body or an answer: a link where it has a name. */
function nameOf({ content = {} }: ShownContent): string {
  return Object.entries(content)
    .map(([type, { schema }]) => {
      const shown = '$ref' in schema ? withLinks(JSON.stringify(schema)) : showSchema(schema);
      return `<code>${escaped(type)}</code> ${shown}`;
    })
    .join(', ');
}

/** Shows JSON in which references to schemas lead to them. */
function withLinks(json: string): string {
  return escaped(json).replaceAll(
    /\{\s*&quot;\$ref&quot;:\s*&quot;#\/components\/schemas\/(\w+)&quot;\s*\}/g,
    '<a href="#schema-$1">$1</a>',
  );
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}

/** Its style: a file of its own, since the page may hold none. */
export const DOCS_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
nav a { margin-right: 0.5rem; }
details { border-top: 1px solid color-mix(in srgb, currentcolor 25%, transparent); padding: 0.4rem 0; }
summary { cursor: pointer; }
pre { overflow: auto; max-height: 24rem; padding: 0.6rem; background: color-mix(in srgb, currentcolor 8%, transparent); }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; }
`;
