import assert from 'node:assert/strict';
import type { TestApps } from '../../../../test/support/test-apps.ts';
import type { TestDatabase } from '../../../../test/support/test-database.ts';
import { newLocation, newSimple } from '../../stock/tests/stock.ts';
import { levelsOf, type SentLine, type StoredLevel } from './feeds.ts';

/** Creates a brand with the location `L` and a simple product with the SKU `A`. */
export async function newStockedBrand(apps: TestApps) {
  const brand = await apps.newBrand();
  await newLocation(brand.client, 'L');
  const product = await newSimple(brand.client, 'A');
  return { ...brand, product };
}

/** Returns a line for SKU `A` at location `L`, unless `more` says otherwise. */
export function lineWith(quantity: number, more: Partial<SentLine> = {}): SentLine {
  return { sku: 'A', location_code: 'L', quantity, ...more };
}

/** Returns the instant this many minutes after the start of 2026. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
}

/** Returns the level at `sku@location`, which must exist. */
export async function levelAt(database: TestDatabase, brandId: number, place = 'A@L'): Promise<StoredLevel> {
  const level = (await levelsOf(database, brandId)).get(place);
  assert.ok(level, `there is no level ${place}`);
  return level;
}
