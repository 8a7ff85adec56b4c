import type { TestApps } from '../../../../test/support/test-apps.ts';
import { addDays, yesterdayOf } from '../../day.ts';
import { newSeededBrand, type SeededBrand } from '../../tests/seed.ts';

export const base = '/analytics';
/** The paths of all lists. */
export const lists = ['/metrics/daily', '/metrics/contents', '/users/daily', '/users/contents'];

/** Creates a brand with events yesterday, the day before, 40 days before, and today; only the last are not aggregated. */
export async function newListedBrand(apps: TestApps): Promise<SeededBrand> {
  const yesterday = yesterdayOf(apps.clock.now());
  const brand = await newSeededBrand(apps, { markets: ['fr', 'de'], contents: ['episode/c0', 'program/p0'] });
  await brand.send([
    { day: yesterday, market: 'fr' },
    { day: addDays(yesterday, -1), type: 'program', content: 'p0', kind: 'completion' },
    { day: addDays(yesterday, -40) },
    // This day is not over, so it is never served.
    { day: addDays(yesterday, 1) },
  ]);
  await brand.aggregate({ from: addDays(yesterday, -40), to: yesterday });
  return brand;
}
