import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanOf } from '../../datasets/rounding.ts';
import { boundedShare } from '../sent-event.ts';

// [internal-36] [D191]
test('a share keeps 6 decimal places, and the rest is cut off', () => {
  for (const [sent, kept] of [
    [0, 0],
    [100, 100],
    [0.1, 0.1],
    [99.999999, 99.999999],
    [0.000001, 0.000001],
    [100 / 3, 33.333333],
    [200 / 3, 66.666666],
    [0.1 + 0.2, 0.3],
    [99.99999999999999, 99.999999],
    [12.3456789, 12.345678],
    [0.0000009, 0],
    [5e-324, 0],
  ] as const)
    assert.equal(boundedShare(sent), kept, String(sent));
});

// [internal-36]
test('the figure of one event is that of the number as sent', () => {
  const exact = (value: number) => {
    const [mantissa = '', exponent = '0'] = String(value).split('e-');
    return exponent === '0' ? mantissa : `0.${'0'.repeat(Number(exponent) - 1)}${mantissa.replace('.', '')}`;
  };
  for (let hundredth = 0; hundredth < 10_000; hundredth += 1) {
    const half = (hundredth + 0.5) / 100;
    for (const value of [half, half - 1e-7, half - 1e-12, half + 1e-7, half + 1e-12]) {
      const figure = (share: number) => meanOf({ sum: exact(share), count: 1 });
      assert.equal(figure(boundedShare(value)), figure(value), String(value));
    }
  }
});
