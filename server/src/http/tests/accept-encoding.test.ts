import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseCoding } from '../compression.ts';

const choices: [string | undefined, 'br' | 'gzip' | null][] = [
  [undefined, null],
  ['', null],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['br;q=0.001', 'br'],
  ['gzip ; q=0.5', 'gzip'],
  ['gzip\t;\tq=0.5', 'gzip'],
  ['gzip;Q=0', null],
  ['gzip;q=0, br', 'br'],
  ['gzip;q=0.000', null],
  ['*', 'gzip'],
  ['*;q=0.5, br;q=0.4', 'gzip'],
  ['*, br', 'br'],
  ['*, gzip;q=0', 'br'],
  ['*;q=0', null],
  ['br, *;q=0', 'br'],
  ['identity', null],
  ['identity, gzip', 'gzip'],
  ['identity;q=1, gzip;q=0.5', null],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', null],
  ['deflate', null],
  ['gzipped', null],
  ['gzip;q=2', null],
  ['gzip;q=abc, br', 'br'],
  ['gzip;level=9', null],
  [', ,gzip,,', 'gzip'],
  ['gzip;q=0, gzip', null],
  ['gzip\u0000', null],
  ['é, gzip', 'gzip'],
];

describe('Accept-Encoding', () => {
  for (const [header, coding] of choices)
    it(`${JSON.stringify(header)} chooses ${coding ?? 'no coding'}`, () => {
      assert.equal(chooseCoding(header).coding, coding);
    });

  it('asks for a coding of short bodies too where identity is refused', () => {
    for (const header of ['identity;q=0, gzip', '*;q=0, gzip', 'gzip, identity;q=0.0'])
      assert.deepEqual(chooseCoding(header), { coding: 'gzip', isRequired: true });
    for (const header of ['gzip', 'identity, gzip', '*', 'identity;q=0.1, *;q=0, gzip'])
      assert.equal(chooseCoding(header).isRequired, false, header);
  });

  it('is read in linear time', () => {
    const start = performance.now();
    for (const header of [
      `gzip${' '.repeat(16_000)}`,
      'gzip;'.repeat(3_000),
      ','.repeat(16_000),
      `${'a'.repeat(16_000)};`,
    ])
      chooseCoding(header);
    assert.ok(performance.now() - start < 500);
  });
});
