import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articlesOf, caseTwins, type Sale } from '../sales.ts';
import { feedsOf, shuffleNeighbours } from '../sales-feeds.ts';

const sale = (sku: string, quantity: number, soldAt: string, article: Partial<Sale> = {}): Sale => ({
  sku,
  quantity,
  soldAt: `2011-01-${soldAt}:00Z`,
  description: '',
  price: 1,
  ...article,
});

const sales = [
  sale('a', 5, '01T08:00', { description: '  ', price: 0 }),
  sale('A', 1, '01T08:00', { description: 'Upper ' }),
  sale('a', -7, '01T09:00', { description: 'Lower', price: 2.5 }),
  sale('a', 3, '01T09:00', { description: 'later', price: 9 }),
  sale('b', -2, '02T10:00'),
];

test('a stock code has its first title and price, and enough opening stock never to be negative', () => {
  assert.deepEqual(articlesOf(sales), [
    { sku: 'a', title: 'Lower', price: 2.5, openingStock: 5 },
    { sku: 'A', title: 'Upper ', price: 1, openingStock: 1 },
    { sku: 'b', title: 'b', price: 1, openingStock: 0 },
  ]);
});

test('stock codes that differ only by case are grouped together', () => {
  const codes = ['x1', 'a', 'b', 'B', 'A'].map((sku) => sale(sku, 1, '01T08:00'));
  assert.deepEqual(
    caseTwins(articlesOf(codes)).map(({ sku }) => sku),
    ['a', 'A', 'b', 'B'],
  );
});

test('every line has the remaining quantity after its sale, which is never negative', () => {
  const feeds = feedsOf(articlesOf(sales), sales);
  const shown = feeds.map(({ batchId, lines }) => [
    batchId,
    lines.map(({ sku, quantity, updated_at }) => `${sku} ${quantity} ${updated_at?.slice(8, 16)}`),
  ]);
  assert.deepEqual(Object.fromEntries(shown), {
    'opening-stock': ['a 5 30T00:00', 'A 1 30T00:00', 'b 0 30T00:00'],
    'sales-2011-01-01': ['a 0 01T08:00', 'A 0 01T08:00', 'a 7 01T09:00', 'a 4 01T09:00'],
    'sales-2011-01-02': ['b 2 02T10:00'],
  });
  assert.equal(feeds[0]?.batchId, 'opening-stock');
});

test('in every other feed the newest lines come first, those of one minute in their order', () => {
  const second = [
    sale('a', 1, '02T08:00'),
    sale('b', 1, '02T09:00'),
    sale('b', 2, '02T09:00'),
    sale('c', 1, '02T10:00'),
  ];
  const all = [sale('a', 1, '01T08:00'), sale('b', 1, '01T09:00'), ...second];
  const feeds = new Map(feedsOf(articlesOf(all), all).map(({ batchId, lines }) => [batchId, lines]));
  const skus = (day: string) => feeds.get(day)?.map(({ sku, quantity }) => `${sku}${quantity}`);
  assert.deepEqual(skus('sales-2011-01-01'), ['a1', 'b3']);
  assert.deepEqual(skus('sales-2011-01-02'), ['c0', 'b2', 'b0', 'a0']);
});

test('neighbours are shuffled deterministically, and none moves far', () => {
  const days = Array.from({ length: 305 }, (_, day) => day);
  const shuffled = shuffleNeighbours(days, 4);
  assert.deepEqual(shuffled, shuffleNeighbours(days, 4));
  assert.deepEqual(
    shuffled.toSorted((a, b) => a - b),
    days,
  );
  for (const [place, day] of shuffled.entries()) assert.equal(Math.floor(place / 4), Math.floor(day / 4));
  const displaced = shuffled.filter((day, place) => day !== place).length;
  assert.ok(displaced > 150, `${displaced} of 305 days are displaced`);
});
