import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../../api/field-schemas.ts';
import type { DatasetName } from '../store/datasets.ts';
import type { DatasetState, DatasetStates, SinceRevisions } from '../store/revisions-store.ts';

const DayOrNull = (description: string) => Nullable(Type.String({ format: 'date' }), { description });

const ChangedDayWire = Type.Object({
  date: Type.String({ format: 'date' }),
  revision: Type.Integer({ minimum: 1, description: 'The revision of the last change of the day.' }),
  cause: Type.String({
    description: `The strongest cause since \`since\`. \`aggregated\`: the rows were replaced. \`exclusion\`: rows of learners were hidden, shown again or erased. \`directory\`: contents or markets of the rows were listed or deleted. \`corrected\`: only \`cumulative\` moved; skip the day if you do not store it. Open list: treat others like \`aggregated\`.`,
  }),
});

const ChangedWire = Type.Object(
  {
    since: Type.Integer({ minimum: 0, description: 'The revision that you sent.' }),
    days: Type.Array(ChangedDayWire, { description: 'Ascending by date.' }),
    complete: Type.Boolean({
      description:
        '`false` if more days have changed than are listed, or the dataset has not reached `since`: pull all days.',
    }),
    as_of: Timestamp({
      description:
        'Changes of the directory, such as opt-outs, are included if their requests were answered before this time; later ones follow within seconds.',
    }),
  },
  { description: 'Present for the datasets of `changes_since`.' },
);

export const DatasetStateWire = (path: string) =>
  Type.Object(
    {
      latest_date: DayOrNull('The last aggregated day; null if nothing has been aggregated.'),
      revision: Type.Integer({
        minimum: 0,
        description: 'Greater after each change of a day of the dataset; 0 if nothing has been aggregated.',
      }),
      refreshed_at: Nullable(Timestamp(), { description: 'The time of the last change.' }),
      oldest_date: DayOrNull('The first aggregated day.'),
      changed: Type.Optional(ChangedWire),
    },
    { description: `Served by \`${path}\`.` },
  );

type StateWire = Static<ReturnType<typeof DatasetStateWire>>;

export const datasetStateExample: StateWire = {
  latest_date: '2026-03-01',
  revision: 57,
  refreshed_at: '2026-03-02T00:05:12.345Z',
  oldest_date: '2025-01-01',
};

export const changedExample: StateWire['changed'] = {
  since: 55,
  days: [
    { date: '2026-02-27', revision: 56, cause: 'exclusion' },
    { date: '2026-03-01', revision: 57, cause: 'aggregated' },
  ],
  complete: true,
  as_of: '2026-03-02T06:00:00.000Z',
};

/** `asOf`: the time up to which the revisions are complete; required if `since` names datasets. */
export function datasetStatesToWire(states: DatasetStates, since: SinceRevisions, asOf: Date | null) {
  const toWire = (name: DatasetName): StateWire => {
    const { latestDay, oldestDay, revision, refreshedAt } = states[name];
    return {
      latest_date: latestDay,
      revision,
      refreshed_at: refreshedAt?.toISOString() ?? null,
      oldest_date: oldestDay,
      ...changedToWire(states[name], since[name], asOf),
    };
  };
  return {
    daily: toWire('daily'),
    contents: toWire('contents'),
    users: toWire('users'),
    content_engagement: toWire('content_engagement'),
  };
}

function changedToWire(
  { changed }: DatasetState,
  since: number | undefined,
  asOf: Date | null,
): Pick<StateWire, 'changed'> {
  if (changed === null || since === undefined || asOf === null) return {};
  const days = changed.days.map(({ day, revision, cause }) => ({ date: day, revision, cause }));
  return { changed: { since, days, complete: changed.isComplete, as_of: asOf.toISOString() } };
}
