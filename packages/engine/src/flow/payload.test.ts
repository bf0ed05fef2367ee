import { describe, expect, it } from 'vitest';
import type { Environment, MemoryAnswer } from './environment.ts';
import { readWhole, readWholeReference } from './payload.ts';
import { parseReference } from './reference.ts';

function environment(memory: (handle: string, at: string) => MemoryAnswer | undefined): Environment {
  const vars: Record<string, string> = { d: '{"k":"v\\n[mem:h]"}', far: '{"k…\n[mem:h]' };
  return {
    vocabulary: { decisionMarkers: [], truncationNotes: ['cut:'] },
    variable: (name) => vars[name],
    asset: () => '',
    memory,
  };
}

const NOT_FOUND = environment(() => ({ found: false }));

describe('readWhole', () => {
  it('does not touch a value without notes', () => {
    expect(readWhole('  a  ', NOT_FOUND)).toEqual({ text: '  a  ', unread: '', gone: '', pending: false });
  });

  it('takes the whole value, without the notes below that either', () => {
    const env = environment((handle, at) =>
      handle === 'h' && at === '' ? { found: true, text: 'all\n[mem:h]' } : undefined,
    );
    expect(readWhole('a…\n[mem:h]', env)).toMatchObject({ text: 'all', unread: '' });
  });

  it('leaves the fragment and the handle when the whole cannot be read', () => {
    expect(readWhole('a…\n[mem:h]', NOT_FOUND)).toMatchObject({ text: 'a', unread: 'h', gone: '' });
    expect(readWhole('[mem:h]', NOT_FOUND)).toMatchObject({ text: '[mem:h]', unread: 'h' });
  });

  it('passes on why a value is gone', () => {
    const env = environment(() => ({ found: false, gone: 'expired' }));
    expect(readWhole('a\n[mem:h]', env)).toEqual({ text: 'a', unread: 'h', gone: 'expired', pending: false });
  });

  it('is empty and pending while the value is not there yet', () => {
    expect(
      readWhole(
        'a\n[mem:h]',
        environment(() => undefined),
      ),
    ).toEqual({ text: '', unread: '', gone: '', pending: true });
  });
});

describe('readWholeReference', () => {
  const whole = (text: string, env: Environment): unknown => {
    const reference = parseReference(text);
    return reference && readWholeReference(reference, env);
  };

  it('reads the whole of a field that holds a handle itself', () => {
    expect(
      whole(
        'd.k',
        environment(() => ({ found: true, text: 'all' })),
      ),
    ).toMatchObject({ text: 'all' });
    expect(whole('d.k', NOT_FOUND)).toMatchObject({ text: 'v', unread: 'h' });
  });

  it('is pending when the way to the field is', () => {
    expect(
      whole(
        'far.k',
        environment(() => undefined),
      ),
    ).toMatchObject({ text: '', pending: true });
  });
});
