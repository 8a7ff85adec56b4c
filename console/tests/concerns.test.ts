import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InternalOperations } from '../../client/src/generated/internal-wire.ts';
import { quiet as quietFigures } from '../../server/src/overview/tests/quiet-overview.ts';
import { concernsOf } from '../src/pages/home/concerns.ts';

type Overview = InternalOperations['getOverview']['response'];

const quiet: Overview = {
  version: '1.0.0',
  role: 'all',
  database: 'available',
  analytics: 'available',
  redis: 'not_configured',
  ...quietFigures,
  feeds: {
    ...quietFigures.feeds,
    ...{ queued: 3, processing: 1, oldest_age_seconds: 900, waiting_lines: 500, lines_per_second: 60 },
  },
};

type Reported = Overview['concerns'][number];

const reported = (kind: string, count: number): Reported => ({
  id: kind,
  kind,
  count,
  brands: [],
  brands_total: 1,
  since: null,
  muted: false,
  muted_until: null,
});

describe('the concerns of the home page', () => {
  it('are none on a quiet day, with feeds under way', () => assert.deepEqual(concernsOf(quiet, null), []));

  it('are one for each thing, the worst first', () => {
    const run = { job_id: 'j', started_at: null, finished_at: null };
    const bad: Overview = {
      ...quiet,
      database: 'disk_full',
      analytics: 'unavailable',
      redis: 'unavailable',
      feeds: { ...quiet.feeds, oldest_age_seconds: 901, lines_per_second: null },
      datasets: { ...quiet.datasets, last_run: { ...run, state: 'failed', error: 'out of memory' } },
      concerns: [
        reported('feeds_failed', 1),
        reported('feeds_waiting', 1),
        reported('jobs_failed', 2),
        reported('lines_failed', 7),
        reported('datasets_behind', 1_200),
        reported('late_events', 1),
        reported('keys_expiring', 1),
        reported('requests_refused', 40),
        reported('requests_denied', 4),
        reported('keys_overlapping', 3),
        reported('keys_unused', 2),
      ],
      doctor: {
        id: 'd',
        state: 'completed',
        started_at: null,
        finished_at: null,
        brands: 1,
        found: 1,
        error: null,
      },
    };
    const shown = concernsOf(bad, null).map(({ tone, text, to, search }) => [
      tone,
      text,
      search === undefined ? to : `${to}?${new URLSearchParams(search)}`.replace(/[&?]from=.*/, ''),
    ]);
    assert.deepEqual(shown, [
      ['bad', 'The disk of the database is full: every write fails', '/jobs'],
      ['bad', 'The analytics store is unavailable: events and datasets get 503', '/datasets'],
      ['bad', 'Redis is unavailable: each process counts rate limits for itself', '/keys'],
      ['bad', '1 derived figure is wrong', '/doctor'],
      ['bad', 'The nightly run failed: out of memory', '/jobs?queue=aggregate-days'],
      ['bad', '1 feed failed in 24 hours', '/feeds?status=failed'],
      [
        'bad',
        'The oldest feed waits for 15 minutes, 500 lines wait, none is applied',
        '/feeds?status=processing',
      ],
      ['bad', '2 jobs failed in 24 hours', '/jobs?state=failed'],
      ['warn', '7 failed lines are left, of feeds of 24 hours', '/feeds?refused_lines=true'],
      ['warn', '1,200 brands are behind yesterday', '/datasets'],
      ['warn', '1 day has uncounted events', '/datasets'],
      ['warn', '1 key expires within 30 days', '/keys?state=expiring'],
      ['warn', '40 requests were refused in 24 hours', '/requests'],
      ['warn', '4 requests were denied by limits in the last hour', '/requests?status=429'],
      ['off', '3 replaced keys are still active', '/keys?state=overlapping'],
      ['off', '2 keys were not used for 90 days', '/keys?state=unused'],
    ]);
  });

  it('link to the pages of the brand for somebody who sees one brand', () => {
    const kinds = ['feeds_failed', 'late_events', 'keys_expiring', 'requests_refused', 'requests_denied'];
    const bad: Overview = { ...quiet, concerns: kinds.map((kind) => reported(kind, 1)) };
    assert.deepEqual(
      concernsOf(bad, [7]).map(({ to }) => to),
      ['feeds', 'datasets', 'keys', 'refusals', 'refusals'].map((page) => `/brands/7/${page}`),
    );
    assert.equal(concernsOf(bad, [7, 8])[0]?.to, '/feeds');
  });

  it('show the age of the oldest feed in hours and days', () => {
    const after = (seconds: number) => {
      const feeds = { ...quiet.feeds, oldest_age_seconds: seconds };
      return concernsOf({ ...quiet, feeds, concerns: [reported('feeds_waiting', 1)] }, null)[0]?.text;
    };
    assert.match(after(7_199) ?? '', /waits for 119 minutes, 500 lines wait, 60 a second are applied/);
    assert.match(after(7_200) ?? '', /waits for 2 hours/);
    assert.match(after(172_800) ?? '', /waits for 2 days/);
  });
});
