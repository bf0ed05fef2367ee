import { describe, expect, it } from 'vitest';
import { HttpAllowList } from './http-allow-list.ts';

const allows = (entries: string[], url: string): boolean => new HttpAllowList(entries).allows(new URL(url));

describe('the list of addresses that may be fetched', () => {
  it.each([
    ['https://docs.example.org', 'https://docs.example.org/a/b?c=d'],
    ['docs.example.org', 'https://docs.example.org/'],
    ['https://docs.example.org:443/', 'https://DOCS.example.org/a'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/a'],
    ['https://docs.example.org/team', 'https://docs.example.org/team'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/a'],
    ['https://docs.example.org/team/', 'https://docs.example.org/team/a'],
    ['https://docs.example.org/api', 'https://docs.example.org/api/group%2Fproject/raw'],
    ['https://docs.example.org', 'https://docs.example.org/..%2fa'],
  ])('%j lets %j through', (entry, url) => expect(allows([entry], url)).toBe(true));

  it.each([
    ['https://docs.example.org', 'http://docs.example.org/a'],
    ['docs.example.org', 'http://docs.example.org/a'],
    ['https://docs.example.org', 'https://docs.example.org:8443/a'],
    ['https://docs.example.org', 'https://docs.example.org.evil.example/a'],
    ['https://docs.example.org', 'https://docs.example.org./a'],
    ['https://example.org', 'https://docs.example.org/a'],
    ['https://docs.example.org/team', 'https://docs.example.org/teammates'],
    ['https://docs.example.org/team/', 'https://docs.example.org/team'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/../other'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/%2e%2e/other'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/..%2fother'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/%2e%2e%5cother'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/%252e%252e%252fother'],
    ['https://docs.example.org/team', 'https://docs.example.org/team/%zz'],
    ['https://docs.example.org', 'https://user@evil.example/https://docs.example.org'],
  ])('%j does not let %j through', (entry, url) => expect(allows([entry], url)).toBe(false));

  it('lets nothing through when it is empty', () => expect(allows([], 'https://example.org/')).toBe(false));

  it.each([
    ['ftp://example.org', /no address/],
    ['https://', /no address/],
    ['file:///etc', /no address/],
    ['https://me:word@example.org', /more than an origin and a path \(example\.org\)/],
    ['https://example.org/?a=b', /more than an origin/],
  ])('refuses the entry %j', (entry, message) => {
    expect(() => new HttpAllowList([entry])).toThrow(message);
  });
});
