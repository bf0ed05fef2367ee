import { describe, expect, it } from 'vitest';
import { turnQuery, withField, withStateToggled } from './turn-filter.ts';

describe('the filter in the address', () => {
  it('goes to the API field by field, and nothing else of the address does', () => {
    const address = new URLSearchParams(
      'status=failed&status=denied&status=odd&label=team%3Dred&skill=&key=secret',
    );
    expect(turnQuery(address)).toEqual({ status: ['failed', 'denied'], label: ['team=red'], limit: 100 });
  });

  it('starts at the first page again when it changes', () => {
    const address = new URLSearchParams('cursor=abc&skill=a');
    expect(withField(address, 'skill', 'b').toString()).toBe('skill=b');
    expect(withField(address, 'skill', '').toString()).toBe('');
    expect(withStateToggled(address, 'failed').toString()).toBe('skill=a&status=failed');
  });

  it('takes a state away when it is chosen again, and leaves the others', () => {
    const address = new URLSearchParams('status=failed&status=denied');
    expect(withStateToggled(address, 'failed').toString()).toBe('status=denied');
  });
});
