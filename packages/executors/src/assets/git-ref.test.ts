import { describe, expect, it } from 'vitest';
import { parseGitRef } from './git-ref.ts';

describe('a ref to a file of a repository', () => {
  it.each([
    ['handbook@main:rules.md', 'handbook', 'main', 'rules.md'],
    ['handbook@release/2026.1:a/b c/d-e.md', 'handbook', 'release/2026.1', 'a/b c/d-e.md'],
    ['h@main:a:b@c', 'h', 'main', 'a:b@c'],
    ['h@main:Größe/日本.md', 'h', 'main', 'Größe/日本.md'],
    ['h@user@host:x', 'h', 'user@host', 'x'],
  ])('%j is taken apart', (ref, project, branch, path) => {
    expect(parseGitRef(ref)).toEqual({ project, branch, path });
  });

  it.each([
    ['', /form/],
    ['rules.md', /form/],
    ['handbook:rules.md', /form/],
    ['@main:x', /form/],
    ['h@:x', /form/],
    ['h@main:', /form/],
    ['h@--upload-pack=evil:x', /branch begins with a dash/],
    ['h@a..b:x', /`\.\.`/],
    ['h@a@{1}:x', /`@\{`/],
    ['h@a b:x', /character/],
    ['h@a\u0007:x', /character/],
    ['h@+a^{commit}:x', /character/],
    ['h@a*:x', /character/],
    ['h@/a:x', /no name of a branch/],
    ['h@a//b:x', /no name of a branch/],
    ['h@.a:x', /no name of a branch/],
    ['h@a.lock:x', /no name of a branch/],
    ['h@main:-x', /path begins with a dash/],
    ['h@main:/etc/passwd', /begins with a slash/],
    ['h@main:../x', /`\.\.`/],
    ['h@main:a/../../x', /`\.\.`/],
    ['h@main:./x', /`\.`/],
    ['h@main:a//x', /empty part/],
    ['h@main:a/', /empty part/],
    ['h@main:a\nb', /control character/],
    ['h@main:a\u0000b', /control character/],
  ])('%j is refused', (ref, problem) => {
    expect(parseGitRef(ref)).toEqual({ problem: expect.stringMatching(problem) });
  });
});
