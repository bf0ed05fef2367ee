import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Finding } from './finding.ts';
import { type SarifInput, toSarif } from './sarif.ts';

const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } };
const level = { enum: ['none', 'note', 'warning', 'error'] };
const atLeastOne = { type: 'integer', minimum: 1 };
const locations = {
  type: 'array',
  items: {
    type: 'object',
    required: ['physicalLocation'],
    additionalProperties: false,
    properties: {
      physicalLocation: {
        type: 'object',
        required: ['artifactLocation'],
        additionalProperties: false,
        properties: {
          artifactLocation: {
            type: 'object',
            required: ['uri'],
            additionalProperties: false,
            // RFC 3986: what may stand in a reference unescaped.
            properties: {
              uri: { type: 'string', pattern: "^[A-Za-z0-9._~!$&'()*+,;=:@/%-]+$" },
              uriBaseId: { type: 'string' },
            },
          },
          region: {
            type: 'object',
            required: ['startLine'],
            additionalProperties: false,
            properties: { startLine: atLeastOne, startColumn: atLeastOne },
          },
        },
      },
      logicalLocations: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' }, kind: { type: 'string' } } },
      },
    },
  },
};
/** What SARIF 2.1.0 demands of the parts that are written here. */
const ESSENTIALS = {
  type: 'object',
  required: ['version', 'runs'],
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', pattern: '^https://' },
    version: { const: '2.1.0' },
    runs: {
      type: 'array',
      items: {
        type: 'object',
        required: ['tool'],
        additionalProperties: false,
        properties: {
          tool: {
            type: 'object',
            required: ['driver'],
            properties: {
              driver: {
                type: 'object',
                required: ['name'],
                additionalProperties: false,
                properties: {
                  name: { type: 'string' },
                  semanticVersion: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
                  rules: {
                    type: 'array',
                    uniqueItems: true,
                    items: {
                      type: 'object',
                      required: ['id'],
                      additionalProperties: false,
                      properties: {
                        id: { type: 'string' },
                        shortDescription: text,
                        fullDescription: text,
                        help: text,
                        helpUri: { type: 'string', pattern: '^[a-z]+://' },
                        defaultConfiguration: { type: 'object', properties: { level } },
                      },
                    },
                  },
                },
              },
            },
          },
          invocations: {
            type: 'array',
            items: {
              type: 'object',
              required: ['executionSuccessful'],
              additionalProperties: false,
              properties: {
                executionSuccessful: { type: 'boolean' },
                toolExecutionNotifications: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: ['message'],
                    additionalProperties: false,
                    properties: { level, message: text, descriptor: { type: 'object' }, locations },
                  },
                },
              },
            },
          },
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          originalUriBaseIds: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['uri'],
              properties: { uri: { pattern: '^[a-z]+://.*/$' } },
            },
          },
          results: {
            type: 'array',
            items: {
              type: 'object',
              required: ['message'],
              additionalProperties: false,
              properties: {
                ruleId: { type: 'string' },
                ruleIndex: { type: 'integer', minimum: -1 },
                level,
                message: text,
                locations,
              },
            },
          },
        },
      },
    },
  },
};
const fits = new Ajv2020({ allErrors: true, strictTypes: false }).compile(ESSENTIALS);

const finding: Finding = {
  rule: 'W14',
  severity: 'error',
  file: 'skills/a b.yaml',
  line: 7,
  column: 3,
  step: 'tell',
  message: 'nothing sets x.',
  hint: 'Set it before.',
  topic: 'variables',
};
const input: SarifInput = {
  version: '0.1.0',
  rules: [
    { id: 'S6', severity: 'info', title: 'no trigger examples', about: 'Nobody finds it.', topic: 'header' },
    {
      id: 'W14',
      severity: 'error',
      title: 'a variable that does not exist',
      about: 'It is empty.',
      topic: 'variables',
    },
  ],
  findings: [finding],
  notices: [],
  baseUri: 'file:///home/ann/',
  docsUri: 'https://docs.example/lint/',
};

function logOf(change: Partial<SarifInput> = {}) {
  const log = toSarif({ ...input, ...change });
  fits(JSON.parse(JSON.stringify(log)));
  expect(fits.errors ?? []).toEqual([]);
  const [run] = log.runs;
  if (run === undefined) throw new Error('the log has no run');
  return run;
}

describe('toSarif', () => {
  it('gives every rule, with its level and the address of its page', () => {
    expect(logOf().tool.driver.rules).toEqual([
      {
        id: 'S6',
        shortDescription: { text: 'no trigger examples' },
        fullDescription: { text: 'Nobody finds it.' },
        help: { text: 'Nobody finds it. See `skillyard handbook header`.' },
        helpUri: 'https://docs.example/lint/S6.md',
        defaultConfiguration: { level: 'note' },
      },
      {
        id: 'W14',
        shortDescription: { text: 'a variable that does not exist' },
        fullDescription: { text: 'It is empty.' },
        help: { text: 'It is empty. See `skillyard handbook variables`.' },
        helpUri: 'https://docs.example/lint/W14.md',
        defaultConfiguration: { level: 'error' },
      },
    ]);
  });

  it('gives a finding its rule, its level, its place and its step', () => {
    expect(logOf().results).toEqual([
      {
        ruleId: 'W14',
        ruleIndex: 1,
        level: 'error',
        message: { text: 'nothing sets x. Set it before.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'skills/a%20b.yaml', uriBaseId: 'SRCROOT' },
              region: { startLine: 7, startColumn: 3 },
            },
            logicalLocations: [{ name: 'tell', kind: 'member' }],
          },
        ],
      },
    ]);
  });

  it.each([
    ['/srv/скіл.yaml', 'file:///srv/%D1%81%D0%BA%D1%96%D0%BB.yaml'],
    ['C:\\skills\\a#1.yaml', 'file:///C:/skills/a%231.yaml'],
    ['odd\ud800?.yaml', 'odd%EF%BF%BD%3F.yaml'],
    ['a:b/c.yaml', 'a%3Ab/c.yaml'],
  ])('escapes the name %j', (file, uri) => {
    const [result] = logOf({ findings: [{ ...finding, file }] }).results;
    expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('is successful with findings, and not when something could not be looked at', () => {
    expect(logOf().invocations).toEqual([{ executionSuccessful: true }]);
    const notice = { code: 'SERVER_UNAVAILABLE', severity: 'warning', message: 'depot is away' } as const;
    expect(logOf({ notices: [notice] }).invocations).toEqual([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          { level: 'warning', message: { text: 'depot is away' }, descriptor: { id: 'SERVER_UNAVAILABLE' } },
        ],
      },
    ]);
    const broken = {
      code: 'FILE_UNREADABLE',
      severity: 'error',
      message: 'no text',
      file: 'a.yaml',
    } as const;
    expect(logOf({ notices: [broken] }).invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ locations: [{}] }] },
    ]);
  });

  it('does without addresses that are not known', () => {
    const { baseUri: _base, docsUri: _docs, ...rest } = input;
    const log = toSarif(rest);
    expect(fits(JSON.parse(JSON.stringify(log)))).toBe(true);
    expect(JSON.stringify(log)).not.toMatch(/helpUri|uriBaseId/i);
  });
});
