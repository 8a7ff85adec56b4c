import type { BrandClient, DemoBrand } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { type DayRange, windowsOf } from './day.ts';
import type { Expected } from './expected/expected-datasets.ts';
import type { DatasetName, ExpectedRow, Row } from './expected/served-rows.ts';
import type { LearningData } from './learning-data.ts';
import { listOf, pathOf, type Query } from './pages.ts';
import { inWindow, readers, verifyReading } from './read-rows.ts';

interface Filter {
  readonly dataset: DatasetName;
  readonly filter: Query;
  readonly keeps: (expected: ExpectedRow) => boolean;
}

const pageSize = 100;

/** Reads the busiest window with every filter, and requests data that must not be found. */
export async function verifyFilters(
  run: DataSetRun,
  brand: DemoBrand,
  data: LearningData,
  { range, datasets }: Expected,
): Promise<void> {
  const window = busiestOf(windowsOf(range, 31), datasets.content_engagement);
  const filters = filtersFor(inWindow(datasets.content_engagement, window), data);
  const rows = filters.map(({ dataset, keeps }) => inWindow(datasets[dataset], window).filter(keeps));
  await run.step(brand, 'filters', rows.flat().length, async (step) => {
    const client = readers(brand)[0] as BrandClient;
    for (const [index, { dataset, filter }] of filters.entries())
      await verifyReading(step, client, { dataset, window, pageSize, filter }, rows[index] ?? []);
    for (const [dataset, query] of notFound(data)) {
      const answer = await client.send<unknown>((api, call) => listOf(api, dataset, query, call).first());
      if (answer.status !== 404 || (answer.json as { code?: unknown }).code !== 'not_found')
        step.differs(`${pathOf(dataset, query)}: answered ${answer.status}`);
    }
  });
}

function filtersFor(rows: readonly ExpectedRow[], { markets }: LearningData): Filter[] {
  const user = mostFrequent(rows, ({ user }) => user?.tu_id);
  const content = mostFrequent(rows, ({ content }) => content && `${content.type} ${content.tu_id}`);
  const [type, tuId] = content.split(' ') as [string, string];
  const ofUser = ({ row }: ExpectedRow) => row.user?.tu_id === user;
  const ofContent = ({ row }: ExpectedRow) => row.content?.tu_id === tuId && row.content.type === type;
  const ofType = (name: string) => (row: ExpectedRow) => row.contentType === name;
  const isCompleted = ({ row }: ExpectedRow) => (row['metrics'] as { is_completed: boolean }).is_completed;
  return [
    { dataset: 'contents', filter: { type: 'episode' }, keeps: ofType('episode') },
    { dataset: 'contents', filter: { type: 'program' }, keeps: ofType('program') },
    { dataset: 'contents', filter: { type, content: tuId }, keeps: ofContent },
    { dataset: 'users', filter: { user }, keeps: ofUser },
    { dataset: 'content_engagement', filter: { user }, keeps: ofUser },
    { dataset: 'content_engagement', filter: { type, content: tuId }, keeps: ofContent },
    { dataset: 'content_engagement', filter: { completed: true }, keeps: isCompleted },
    {
      dataset: 'content_engagement',
      filter: { completed: false, user },
      keeps: (row) => ofUser(row) && !isCompleted(row),
    },
    ...markets.map(
      ({ tu_id: market }): Filter => ({
        dataset: 'daily',
        filter: { market },
        keeps: ({ row }) => row.market?.tu_id === market,
      }),
    ),
  ];
}

/** A learner who opted out must be indistinguishable from one who does not exist. */
function notFound({ users }: LearningData): [DatasetName, Query][] {
  const excluded = users.find((user) => user.analytics_opt_out === true)?.tu_id;
  return [
    ...['nobody', ...(excluded === undefined ? [] : [excluded])].flatMap((user): [DatasetName, Query][] => [
      ['users', { user }],
      ['content_engagement', { user }],
    ]),
    ['contents', { type: 'episode', content: 'nothing' }],
    ['daily', { market: 'nowhere' }],
  ];
}

function busiestOf(windows: readonly DayRange[], rows: readonly ExpectedRow[]): DayRange {
  const sizes = windows.map((window) => inWindow(rows, window).length);
  return windows[sizes.indexOf(Math.max(...sizes))] as DayRange;
}

function mostFrequent(rows: readonly ExpectedRow[], nameOf: (row: Row) => string | null | undefined): string {
  const counts = new Map<string, number>();
  for (const { row } of rows) {
    const name = nameOf(row);
    if (name != null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].reduce((best, next) => (next[1] > best[1] ? next : best), ['', 0])[0];
}
