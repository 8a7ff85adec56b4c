import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangedDay, DatasetChanges } from '../dataset-changes.ts';
import { addDays, daysBetween } from '../days.ts';
import { type KnownDays, needsAllChanges, type PlanOptions, planDays } from '../plan-days.ts';

const changes = (more: Partial<DatasetChanges>): DatasetChanges => ({
  oldest: '2026-01-01',
  latest: '2026-01-05',
  revision: 9,
  days: new Map(),
  asOf: null,
  isBehind: false,
  ...more,
});
const known = (days: Record<string, number | null>, more: Partial<KnownDays> = {}): KnownDays => ({
  since: 5,
  from: null,
  swept: null,
  revisionOf: (day) => days[day],
  ...more,
});
const all = { '2026-01-01': 1, '2026-01-02': 2, '2026-01-03': 3, '2026-01-04': 4, '2026-01-05': 5 };
const listed = (...days: [string, number, string][]): ReadonlyMap<string, ChangedDay> =>
  new Map(days.map(([date, revision, cause]) => [date, { revision, cause }]));
const planned = (
  [knownDays, served, everything = null]: [
    KnownDays,
    DatasetChanges,
    (ReadonlyMap<string, ChangedDay> | null)?,
  ],
  options: PlanOptions = {},
) =>
  planDays(knownDays, served, everything ?? null, options).days.map(({ date, revision }) => [date, revision]);

describe('the plan of a run', () => {
  // [D152]
  it('has the days that changed since the last complete run, and no other', () => {
    const days = listed(['2026-01-02', 7, 'exclusion'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned([known(all), changes({ days })]), [
      ['2026-01-02', 7],
      ['2026-01-05', 9],
    ]);
    assert.deepEqual(planned([known(all), changes({})]), []);
  });

  it('leaves out what an interrupted run has pulled already', () => {
    const days = listed(['2026-01-02', 7, 'exclusion'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned([known({ ...all, '2026-01-02': 7 }), changes({ days })]), [['2026-01-05', 9]]);
    // The day changed again in between.
    assert.deepEqual(planned([known({ ...all, '2026-01-05': 8 }), changes({ days })]), [
      ['2026-01-02', 7],
      ['2026-01-05', 9],
    ]);
  });

  it('has all days of a first load: those that are not listed were never aggregated', () => {
    const days = listed(['2026-01-01', 1, 'aggregated'], ['2026-01-05', 9, 'aggregated']);
    assert.deepEqual(planned([known({}, { since: 0 }), changes({ days })]), [
      ['2026-01-01', 1],
      ['2026-01-02', 0],
      ['2026-01-03', 0],
      ['2026-01-04', 0],
      ['2026-01-05', 9],
    ]);
  });

  it('asks for all changes if a day is missing that did not change, and only then', () => {
    const { '2026-01-03': _, ...rest } = all;
    assert.equal(needsAllChanges(known(rest), changes({})), true);
    assert.equal(needsAllChanges(known(rest), changes({ days: listed(['2026-01-03', 7, 'x']) })), false);
    assert.equal(needsAllChanges(known(all), changes({})), false);
    assert.equal(needsAllChanges(known(all), changes({}), { full: true }), true);
    assert.equal(needsAllChanges(known(all), changes({ isBehind: true, days: null })), true);
    const everything = listed(['2026-01-03', 3, 'aggregated']);
    assert.deepEqual(planned([known(rest), changes({}), everything]), [['2026-01-03', 3]]);
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
    assert.deepEqual(planned([known(rest), changes({ days })]), every);
    assert.deepEqual(planned([known(rest), changes({ days })], { skipsCorrected: true }), every.slice(1));
  });

  it('has all days after a restored backup, with --full, and if the service cannot list the changes', () => {
    const everything = listed(
      ...Object.entries(all).map(([day, revision]): [string, number, string] => [day, revision, 'x']),
    );
    const restored = changes({ isBehind: true, revision: 5, days: null });
    assert.deepEqual(planned([known(all, { since: 8 }), restored, everything]), Object.entries(all));
    assert.deepEqual(planned([known(all), changes({}), everything], { full: true }), Object.entries(all));
    const plan = planDays(known(all), changes({ days: null }), null);
    assert.equal(plan.needsProbes, true);
    // No day is newer than the dataset.
    assert.deepEqual(
      plan.days.map(({ date, revision }) => [date, revision]),
      Object.keys(all).map((day) => [day, 9]),
    );
  });

  it('is empty before the first aggregation, and begins where it was asked to', () => {
    assert.deepEqual(
      planned([known({}, { since: 0 }), changes({ oldest: null, latest: null, revision: 0 })]),
      [],
    );
    const from = '2026-01-04';
    assert.deepEqual(
      planned([known({}, { since: 0, from }), changes({})]).map(([day]) => day),
      ['2026-01-04', '2026-01-05'],
    );
  });
});

describe('the plan without revisions', () => {
  const served = changes({ revision: null, oldest: null, latest: '2026-03-31', days: null });
  const stored = Object.fromEntries(daysBetween('2026-01-01', '2026-03-30').map((day) => [day, null]));
  const plan = (swept: string | null, days = stored, options: PlanOptions = {}) =>
    planDays(known(days, { from: '2026-01-01', swept }), served, null, options);

  it('has the last seven days and missing ones, and all of them once a month', () => {
    const recent = daysBetween('2026-03-25', '2026-03-31');
    const datesOf = ({ days }: ReturnType<typeof plan>) => days.map(({ date }) => date);
    assert.deepEqual(datesOf(plan('2026-03-20')), recent);
    const { '2026-02-02': _, ...gap } = stored;
    assert.deepEqual(datesOf(plan('2026-03-20', gap)), ['2026-02-02', ...recent]);
    for (const swept of [null, addDays('2026-03-31', -30)]) {
      assert.equal(plan(swept).days.length, 90);
      assert.equal(plan(swept).isSweep, true);
    }
    assert.equal(plan(addDays('2026-03-31', -29)).isSweep, false);
    assert.equal(plan('2026-03-31', stored, { full: true }).days.length, 90);
  });
});
