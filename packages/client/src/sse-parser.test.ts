import { describe, expect, it } from 'vitest';
import { SseParser, type SseMessage } from './sse-parser.ts';

function parse(...pieces: string[]): SseMessage[] {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

describe('the parser of server-sent events', () => {
  const text = 'id: 1-0\nevent: step\ndata: {"a":1}\n\nid: 1-1\ndata: zwei\n\n';
  const messages = [
    { id: '1-0', event: 'step', data: '{"a":1}' },
    { id: '1-1', event: 'message', data: 'zwei' },
  ];

  it('gives the messages of a stream that comes whole', () => {
    expect(parse(text)).toEqual(messages);
  });

  it('gives the same messages wherever the stream is cut', () => {
    for (const ends of ['\n', '\r\n', '\r']) {
      // A line that ends with a carriage return is known to have ended when the next one begins.
      const sent = `${text.replaceAll('\n', ends)}:`;
      for (let cut = 0; cut <= sent.length; cut++)
        expect(parse(sent.slice(0, cut), sent.slice(cut)), `cut at ${cut}`).toEqual(messages);
      expect(parse(...sent.split(''))).toEqual(messages);
    }
  });

  it('joins several lines of data by line feeds', () => {
    expect(parse('data: a\ndata:\ndata:  b\n\n')).toEqual([{ id: '', event: 'message', data: 'a\n\n b' }]);
  });

  it('leaves out comments, unknown fields and messages without data', () => {
    expect(parse(': alive\n\nretry: 5\nevent: nothing\n\ndata: x\n\n')).toEqual([
      { id: '', event: 'message', data: 'x' },
    ]);
  });

  it('keeps the id of the message before', () => {
    expect(parse('id: 7\ndata: a\n\ndata: b\n\n').map(({ id }) => id)).toEqual(['7', '7']);
  });

  it('gives nothing of a message that the stream breaks off in', () => {
    expect(parse('id: 1\ndata: a\n\nid: 2\ndata: b\n')).toEqual([{ id: '1', event: 'message', data: 'a' }]);
  });
});
