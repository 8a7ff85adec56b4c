import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChangedDay, type DatasetChanges, type KnownDays, type PlanOptions, planDays } from '../plan.ts';

const changes = (more: Partial<DatasetChanges>): DatasetChanges => ({
  oldest: '2026-01-01',
  latest: '2026-01-05',
  revision: 9,
  days: new Map(),
  asOf: null,
  isBehind: false,
  ...more,
});
const known = (days: Record<string, number>, more: Partial<KnownDays> = {}): KnownDays => ({
  since: 5,
  from: null,
  revisionOf: (day) => days[day],
  stored: Object.keys(days),
  ...more,
});
const all = { '2026-01-01': 1, '2026-01-02': 2, '2026-01-03': 3, '2026-01-04': 4, '2026-01-05': 5 };
const listed = (...days: [string, number, string][]): ReadonlyMap<string, ChangedDay> =>
  new Map(days.map(([date, revision, cause]) => [date, { revision, cause }]));
const planned = (knownDays: KnownDays, served: DatasetChanges, options: PlanOptions = {}) =>
  planDays(knownDays, served, options).map(({ date, revision }) => [date, revision]);

describe('the plan of a run', () => {
  // [D152]
  it('has the days that changed since the last complete run, and no other', () => {
    const days = listed(['2026-01-02', 7, 'exclusion'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned(known(all), changes({ days })), [
      ['2026-01-02', 7],
      ['2026-01-05', 9],
    ]);
    assert.deepEqual(planned(known(all), changes({})), []);
  });

  it('leaves out what an interrupted run has pulled already', () => {
    const days = listed(['2026-01-02', 7, 'exclusion'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned(known({ ...all, '2026-01-02': 7 }), changes({ days })), [['2026-01-05', 9]]);
    // The day changed again in between.
    assert.deepEqual(planned(known({ ...all, '2026-01-05': 8 }), changes({ days })), [
      ['2026-01-02', 7],
      ['2026-01-05', 9],
    ]);
  });

  it('of a first load has no day that was never aggregated, and none before 2000', () => {
    const days = listed(['0001-01-01', 1, 'aggregated'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned(known({}, { since: 0 }), changes({ oldest: '0001-01-01', days })), [
      ['2026-01-05', 9],
    ]);
  });

  it('takes out days after the last one of the service, once', () => {
    const later = { ...all, '2026-01-06': 6, '2026-01-07': 7 };
    const days = listed(['2026-01-05', 9, 'aggregated']);
    const gone = [
      ['2026-01-06', 0],
      ['2026-01-07', 0],
    ];
    assert.deepEqual(planned(known(later), changes({ days })), [['2026-01-05', 9], ...gone]);
    assert.deepEqual(planned(known(later), changes({ days: null })).slice(-2), gone);
    assert.deepEqual(planned(known({ '2026-01-06': 6, '2026-01-07': 0 }), changes({})), [['2026-01-06', 0]]);
    assert.deepEqual(planned(known({ '2026-01-07': 7 }), changes({ oldest: null, latest: null })), [
      ['2026-01-07', 0],
    ]);
  });

  it('skips corrected days only if running totals are not stored, and only stored days', () => {
    const { '2026-01-03': _, ...rest } = all;
    const days = listed(
      ['2026-01-02', 7, 'corrected'],
      ['2026-01-03', 8, 'corrected'],
      ['2026-01-04', 9, 'new'],
    );
    const every = [
      ['2026-01-02', 7],
      ['2026-01-03', 8],
      ['2026-01-04', 9],
    ];
    assert.deepEqual(planned(known(rest), changes({ days })), every);
    assert.deepEqual(planned(known(rest), changes({ days }), { skipsCorrected: true }), every.slice(1));
  });

  it('of a whole pull has all listed days, and those that the service does not have any more', () => {
    const { '2026-01-03': _, ...left } = all;
    const days = listed(
      ...Object.entries(left).map(([day, revision]): [string, number, string] => [day, revision, 'x']),
    );
    assert.deepEqual(planned(known(all), changes({ days }), { full: true }), [
      ['2026-01-01', 1],
      ['2026-01-02', 2],
      ['2026-01-03', 0],
      ['2026-01-04', 4],
      ['2026-01-05', 5],
    ]);
  });

  it('has every day of the range if the service cannot list the changes', () => {
    // No day is newer than the dataset.
    assert.deepEqual(
      planned(known(all), changes({ days: null })),
      Object.keys(all).map((day) => [day, 9]),
    );
  });

  it('is empty before the first aggregation, and begins where it was asked to', () => {
    assert.deepEqual(
      planned(known({}, { since: 0 }), changes({ oldest: null, latest: null, revision: 0 })),
      [],
    );
    const days = listed(...Object.entries(all).map(([day, at]): [string, number, string] => [day, at, 'x']));
    const from = '2026-01-04';
    assert.deepEqual(
      planned(known({}, { since: 0, from }), changes({ days })).map(([day]) => day),
      ['2026-01-04', '2026-01-05'],
    );
  });
});
