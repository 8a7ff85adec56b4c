import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import type { Day, DayRange } from '../../day.ts';
import { type DatasetName, datasetNames } from '../../store/datasets.ts';
import { listAll, walk } from '../../tests/pull-rows.ts';

/** The rows of each day of each dataset, as a client keeps them. Days without rows are absent. */
export type Table = Record<DatasetName, Record<Day, object[]>>;

/** A day that `/status` listed, and whether its rows differ from the rows that the client had. */
export interface PulledDay {
  readonly dataset: DatasetName;
  readonly day: Day;
  readonly cause: string;
  readonly differs: boolean;
}

const emptyTable = (): Table => ({ daily: {}, contents: {}, users: {}, content_engagement: {} });

async function pullDays(
  client: ApiClient,
  dataset: DatasetName,
  { from, to }: DayRange,
): Promise<Table[DatasetName]> {
  const query = { from, to, per_page: '200' };
  const rows = await rowsOf(client, dataset, query);
  return { ...Object.groupBy(rows, ({ date }) => date) } as Table[DatasetName];
}

async function rowsOf(
  client: ApiClient,
  dataset: DatasetName,
  query: Record<string, string>,
): Promise<{ date: Day }[]> {
  if (dataset === 'contents') return (await walk(client, '/analytics/metrics/contents', query)).rows;
  if (dataset === 'users') return (await walk(client, '/analytics/users/daily', query)).rows;
  if (dataset === 'content_engagement') return (await walk(client, '/analytics/users/contents', query)).rows;
  return [
    ...(await listAll(client, '/analytics/metrics/daily', query)),
    ...(await listAll(client, '/analytics/metrics/daily', { ...query, group_by: 'market' })),
  ];
}

/** Pulls all rows of the window. */
export async function pullTable(client: ApiClient, range: DayRange): Promise<Table> {
  const table = emptyTable();
  for (const dataset of datasetNames) table[dataset] = await pullDays(client, dataset, range);
  return table;
}

/** A client that pulls only the days that changed since its last pull [analytics-46]. */
export class LedgerClient {
  readonly table = emptyTable();
  readonly #client: ApiClient;
  #revisions = Object.fromEntries(datasetNames.map((name) => [name, 0]));

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Replaces the rows of the changed days; returns these days. */
  async pull(): Promise<PulledDay[]> {
    const since = datasetNames.map((name) => `${name}:${this.#revisions[name]}`).join(',');
    const { status, json, text } = await this.#client.get(`/analytics/status?changes_since=${since}`);
    assert.equal(status, 200, text);
    const pulled: PulledDay[] = [];
    for (const dataset of datasetNames) {
      const { revision, changed } = json.datasets[dataset];
      assert.equal(changed.complete, true);
      for (const { date: day, cause } of changed.days) {
        const rows = (await pullDays(this.#client, dataset, { from: day, to: day }))[day];
        const before = this.table[dataset][day];
        if (rows === undefined) delete this.table[dataset][day];
        else this.table[dataset][day] = rows;
        pulled.push({ dataset, day, cause, differs: JSON.stringify(rows) !== JSON.stringify(before) });
      }
      // Stored last: after an interruption the days are pulled again.
      this.#revisions[dataset] = revision;
    }
    return pulled;
  }
}
