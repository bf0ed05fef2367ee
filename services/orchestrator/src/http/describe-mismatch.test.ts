import { describe, expect, it } from 'vitest';
import { describeMismatch, type Mismatch } from './describe-mismatch.ts';

function mismatch(
  keyword: string,
  instancePath: string,
  params: Mismatch['params'] = {},
  message?: string,
): Mismatch {
  return { keyword, instancePath, params, ...(message !== undefined && { message }) };
}

describe('what is said of a request that does not fit', () => {
  it('names every word that is allowed once, however many schemas allow them', () => {
    const words = [
      mismatch('enum', '/status/0', { allowedValues: ['queued', 'running'] }),
      mismatch('enum', '/status/0', { allowedValues: ['failed'] }),
      mismatch('anyOf', '/status/0', {}, 'must match a schema in anyOf'),
    ];
    expect(describeMismatch(words, 'querystring')).toBe(
      'status.0 of the query must be one of queued, running, failed',
    );
    expect(words[0]?.params['allowedValues']).toEqual(['queued', 'running']);
  });

  it('names the choices there are, and keys that there are not', () => {
    const choices = [
      mismatch('required', '', { missingProperty: 'text' }),
      mismatch('required', '', { missingProperty: 'rerun' }),
      mismatch('anyOf', ''),
    ];
    expect(describeMismatch(choices, 'body')).toBe('the body lacks "text"; or the body lacks "rerun"');
    const unknown = [mismatch('additionalProperties', '/skill', { additionalProperty: 'nam' })];
    expect(describeMismatch(unknown, 'body')).toBe('skill has the unknown key "nam"');
  });
});
