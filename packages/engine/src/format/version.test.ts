import { describe, expect, it } from 'vitest';
import { checkFormatVersion, compareVersions, FORMAT_VERSION } from './version.ts';

describe('checkFormatVersion', () => {
  it.each([
    '2.0.0',
    '2.4.99',
    FORMAT_VERSION,
    'v2.5.0',
    ' 2.5.0\n',
    '+2.+05.000',
    '2.0.999999999999999999999',
  ])('accepts %j', (version) => {
    expect(checkFormatVersion(version)).toEqual({ ok: true });
  });

  it.each([
    '',
    ' ',
    '1.9.9',
    '2.5.1',
    '2.6.0',
    '3.0.0',
    '99999999999999999999.0.0',
    '2.5',
    '2.5.0.0',
    '2.5.0-rc1',
    '2.5.0+1',
    'V2.5.0',
    'vv2.5.0',
    '2.-1.0',
    '2.-0.0',
    '2..0',
    '2. 5.0',
    '٢.٥.٠',
  ])('refuses %j, and says what to write', (version) => {
    expect(checkFormatVersion(version)).toEqual({
      ok: false,
      message: expect.stringMatching(/\S/),
      hint: expect.stringMatching(/\S/),
    });
  });

  it('reads a missing version as 1.0.0', () => {
    expect(checkFormatVersion('')).toMatchObject({ message: expect.stringContaining('1.0.0') });
  });
});

describe('compareVersions', () => {
  it('compares numbers of any length', () => {
    expect(compareVersions('1.0.18446744073709551616', '1.0.18446744073709551615')).toBe(1);
    expect(compareVersions('1.0.0009', '1.0.10')).toBe(-1);
  });

  it('takes an empty version for the oldest', () => {
    expect(compareVersions('', '0.0.1')).toBe(-1);
    expect(compareVersions(' ', '0.0.0')).toBe(0);
  });

  it('gives nothing when one of the two is no version', () => {
    expect(compareVersions('1.0.0', 'latest')).toBeUndefined();
  });
});
