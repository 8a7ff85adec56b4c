/** An insertion before the last occurrence of a text, or a new file. */
type Edit = { readonly before: string; readonly text: string } | { readonly create: string };

const shape = `  efforts: {
    keys: ['user_id'],
    order: ['user_id', 'day'],
    attributes: [],
    sums: ['views', ...efforts],
    cumulated: ['xp_earned'],
    path: '/users/efforts',
    capDays: 92,
  },
`;

const rows = `  efforts: datasetRows({
    ...learnerId,
    day,
    views: number('views'),
    ...efforts,
    cumulative: { xpEarned: number('cumulative_xp_earned') },
  }),
`;

const fresh = `  efforts: {
    fresh: \`select f.day, f.user_id, \${sumsOf(datasetShapes.efforts.sums)}
    from pg_temp.fold_by_user f
    where f.day between $2::date and $3::date
    group by f.day, f.user_id\`,
    values: () => [],
  },
`;

const tablesWithNames = ['dataset_revisions', 'day_histories', 'published_generations'];

const migration = `create table analytics.efforts (
  brand_id integer not null,
  user_id bigint not null,
  day date not null,
  views bigint not null,
  xp_earned bigint not null,
  time_spent_seconds bigint not null,
  cumulative_xp_earned bigint not null,
  primary key (brand_id, user_id, day)
);
create index efforts_by_day on analytics.efforts (brand_id, day);
${tablesWithNames
  .map(
    (table) => `alter table analytics.${table} drop constraint ${table}_dataset,
  add constraint ${table}_dataset check (dataset in ('daily', 'contents', 'users', 'content_engagement', 'efforts')) not valid;
`,
  )
  .join('')}`;

const endpoint = `import { type Static, Type } from 'typebox';
import { NamedObject } from '../../api/field-schemas.ts';
import type { DatasetRow } from '../store/dataset-rows.ts';
import { keysetOperation } from './dataset-lists.ts';
import { Count, DayWire, Seconds, UserWire, userFilter } from './dataset-schemas.ts';

export const EffortRowWire = NamedObject('UserEffortRow', {
  date: DayWire,
  user: UserWire,
  metrics: Type.Object({ views: Count(), xp_earned: Count(), time_spent_seconds: Seconds() }),
  cumulative: Type.Object({ xp_earned: Count() }),
});

function effortRowToWire(row: DatasetRow<'efforts'>, tuId: string): Static<typeof EffortRowWire> {
  const { day, views, xpEarned, timeSpentSeconds, cumulative } = row;
  return {
    date: day,
    user: { tu_id: tuId },
    metrics: { views, xp_earned: xpEarned, time_spent_seconds: timeSpentSeconds },
    cumulative: { xp_earned: cumulative.xpEarned },
  };
}

export const listUserEffortsOperation = keysetOperation({
  id: 'listUserEfforts',
  summary: 'List efforts by day',
  description: 'One row per learner and day.',
  access: ['analytics.users:read'],
  dataset: 'efforts',
  defaultDays: 30,
  filters: { user: userFilter },
  item: EffortRowWire,
  page: 'UserEffortPage',
  example: {
    date: '2026-03-01',
    user: { tu_id: 'u-4711' },
    metrics: { views: 3, xp_earned: 40, time_spent_seconds: 960 },
    cumulative: { xp_earned: 60 },
  },
  show: (row, { learners }) => {
    const tuId = learners.get(row.learnerId);
    return tuId === undefined ? undefined : effortRowToWire(row, tuId);
  },
});
`;

const invariant = `  comparison('efforts', {
    figures: effortFigures,
    truth: learnerTruth('efforts', 'e.user_id', effortFigures),
    by: 'learners',
    name: \`' user ' || r.user_id\`,
  }),
`;

/** A dataset that Brandport does not have, the efforts of learners: what has to be written for it, by file. */
export const fifthDataset: Readonly<Record<string, readonly Edit[]>> = {
  'server/database/analytics/migrations/0005-efforts.sql': [{ create: migration }],
  'server/src/analytics/store/datasets.ts': [
    { before: '} as const satisfies Readonly<Record<string, DatasetShape>>', text: shape },
  ],
  'server/src/analytics/store/dataset-rows.ts': [
    { before: '} as const satisfies Readonly<Record<DatasetName,', text: rows },
  ],
  'server/src/analytics/store/postgres/dataset-definitions.ts': [
    { before: '};\n\nexport const datasetDefinitions', text: fresh },
  ],
  'server/src/analytics/datasets/efforts.ts': [{ create: endpoint }],
  'server/src/analytics/datasets/dataset-operations.ts': [
    {
      before: '/** How the client API',
      text: `import { EffortRowWire, listUserEffortsOperation } from './efforts.ts';\n\n`,
    },
    {
      before: '};\n',
      text: `  efforts: { operation: listUserEffortsOperation, row: EffortRowWire },\n`,
    },
  ],
  'server/src/doctor/dataset-invariants.ts': [
    {
      before: 'export function selectFigures(',
      text: `const effortFigures: Figures = { views: counts['views'] as string, ...efforts };\n\n`,
    },
    { before: "  {\n    id: 'dataset_day_records'", text: invariant },
  ],
  'client/src/analytics/analytics.ts': [
    { before: '  UserDayRow,\n', text: '  ListUserEffortsQuery,\n  UserEffortRow,\n' },
    {
      before: '  readonly #api: ClientApi;',
      text: '  readonly efforts: Dataset<ListUserEffortsQuery, UserEffortRow>;\n',
    },
    {
      before: '    this.daily = new Dataset(',
      text: `    this.efforts = new Dataset(api, {
      name: 'efforts',
      capDays: 92,
      list: (query, options) => cursorPages(api, 'listUserEfforts', [], { query, options }),
    });
`,
    },
  ],
};

/** Returns the text of a file with the edits. @throws Error if a text to insert before is not there */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce((result, edit) => {
    if ('create' in edit) return edit.create;
    // The last one: the end of a list.
    const place = result.lastIndexOf(edit.before);
    if (place < 0) throw new Error(`there is no ${JSON.stringify(edit.before)}`);
    return result.slice(0, place) + edit.text + result.slice(place);
  }, text);
}
