import type { Target } from '../part.ts';

/**
 * The targets for a machine like that of the tests [D340]. A platform of 50 brands that all use their whole limits at
 * once, 600 requests a minute each, sends 500 requests a second; at 240 pages of analytics a minute, 200 pages a second.
 */
const brandsAtTheirLimits = '50 brands at their limits at once';

/** Requests of 50 brands that all use their whole limits. */
export const wholePlatform: Target = { of: 'figure', atLeast: 500, why: brandsAtTheirLimits };

/** The same for pages of analytics. */
export const wholeAnalytics: Target = { of: 'figure', atLeast: 200, why: brandsAtTheirLimits };

/** An ERP exports the stock of a large brand every hour, and its shop shows it a minute later. */
export const hourlyExport: Target = {
  of: 'figure',
  atLeast: 100_000 / 60,
  why: 'an hourly export of 100,000 lines is applied in a minute',
};

/** Readers and writers pay for size with nothing that they would notice. */
export const growth: Target = { atLeast: 0.8, why: 'a brand or a platform that grows does not get slower' };

/** BI engineers walk through all pages of a long window. */
export const deepPages: Target = {
  within: [0.7, 1.4],
  why: 'the end of a long export is as fast as its start',
};

/** A million events of a day: a brand with a hundred thousand learners. */
export const aggregatedInAMinute: Target = {
  of: 'figure',
  atMost: 60_000,
  why: 'the night of a platform with such brands is over by the morning',
};
