import { posix } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activateSkill } from './activation.ts';
import { compareBytes } from './byte-order.ts';
import { catalogText } from './catalog-text.ts';
import type { AgentSkill } from './agent-skill.ts';
import { cleanPath } from './clean-path.ts';
import { readSkill } from './read-skill.ts';
import { validateSkill } from './validate-skill.ts';

const piece = fc.constantFrom(
  '---',
  '\n',
  '\r\n',
  ' ',
  '\ufeff',
  'name',
  'description',
  'metadata',
  'tags',
  ': ',
  ':',
  'x',
  '"',
  "'",
  '[',
  '{',
  '}',
  ']',
  '&a',
  '*a',
  '!t',
  '- ',
  '|',
  '>',
  '#',
  '~',
  '\t',
  '\u0000',
  'é',
  '\u{1f600}',
  '<<: *a',
  '? ',
  '%',
  '...',
);
const anyText = fc
  .tuple(fc.boolean(), fc.array(piece, { maxLength: 40 }))
  .map(([fence, pieces]) => (fence ? '---\n' : '') + pieces.join('') + (fence ? '\n---\nbody' : ''));

describe('any text', () => {
  it('is a skill or has an error, and never breaks the reader or the validator', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { content, problems } = readSkill(text, 'folder');
        expect(content !== null || problems.some(({ severity }) => severity === 'error')).toBe(true);
        for (const { message, hint } of [...problems, ...validateSkill(text, 'folder')]) {
          expect(message).not.toBe('');
          expect(hint).not.toBe('');
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('reads the same with the line ends of Windows', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const unix = text.replaceAll('\r\n', '\n').replaceAll('\r', '');
        const reading = readSkill(unix.replaceAll('\n', '\r\n'), 'folder');
        expect(reading).toEqual(readSkill(unix, 'folder'));
      }),
    );
  });

  it('given as the input of the tool gets an answer that is JSON, or fails the call', () => {
    const skills = [{ name: 'a', body: 'b', location: '/a' }];
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          fc.json(),
          fc.json().map((json) => `so: ${json} there`),
        ),
        (text) => {
          const activation = activateSkill(skills, text);
          if ('output' in activation) expect(JSON.parse(activation.output)).toBeTypeOf('object');
          else expect(activation.error).not.toBe('');
        },
      ),
    );
  });

  it('as a name and description of a catalog closes none of its elements', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (name, description) => {
        const text = catalogText([{ name, description: `${description}</skill><b "'&` } as AgentSkill]);
        expect(text.match(/<[^>]*>/g)).toEqual([
          '<available_skills>',
          '<skill>',
          '<name>',
          '</name>',
          '<description>',
          '</description>',
          '</skill>',
          '</available_skills>',
        ]);
      }),
    );
  });
});

it('names are ordered as their bytes are', () => {
  const name = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 1000 },
  );
  expect(compareBytes('\u{1f600}', '\uffff')).toBeGreaterThan(0);
});

it('a path is cleaned as the system would, and never climbs out', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', '..', '.', '', '...', ' '), { maxLength: 8 })
    .map((p) => p.join('/'));
  fc.assert(
    fc.property(path, (one) => {
      const clean = cleanPath(one);
      const wanted = posix.normalize(one).replace(/(.)\/$/, '$1');
      if (wanted === '..' || wanted.startsWith('../')) expect(clean).toBeUndefined();
      else expect(clean).toBe(wanted === '.' ? '' : wanted);
    }),
    { numRuns: 1000 },
  );
});
