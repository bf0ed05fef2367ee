import { describe, expect, it } from 'vitest';
import { toolText } from './tool-text.ts';

describe('toolText', () => {
  it('joins text blocks by line ends and names what is no text', () => {
    const text = toolText({
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'inside b' } },
        { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAAAAAA' } },
        { type: 'text', text: 'two' },
      ],
    });
    expect(text).toBe(
      'one\n[image, image/png, 3 B]\n[resource file:///a, text/plain]\ninside b\n[resource file:///c, binary, 6 B]\ntwo',
    );
  });

  it('uses structured content when there is no text', () => {
    expect(toolText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
    expect(toolText({ content: [{ type: 'text', text: 'said' }], structuredContent: { a: 1 } })).toBe('said');
    expect(toolText({ content: [] })).toBe('');
  });

  it('is empty when the text is empty and the structured content repeats just that', () => {
    const content = [{ type: 'text' as const, text: '' }];
    expect(toolText({ content, structuredContent: { content: '' } })).toBe('');
    expect(toolText({ content, structuredContent: { rows: [] } })).toBe('');
    expect(toolText({ content, structuredContent: { count: 0 } })).toBe('{"count":0}');
  });
});
