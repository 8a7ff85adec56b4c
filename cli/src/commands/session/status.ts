import type { AnalyticsStatus, KeyStatus, ResponseInfo } from '@brandport/client';
import type { CliContext } from '../../context/cli-context.ts';
import type { Define } from '../command.ts';

interface Limit {
  readonly limit: number;
  readonly remaining: number;
  readonly resets_at: string;
}

interface Status extends KeyStatus {
  readonly limits: { readonly catalog: Limit | null; readonly analytics: Limit | null };
  readonly datasets: AnalyticsStatus['datasets'];
}

export const defineStatus: Define = (command, run) => {
  command.action(() => run(status));
};

async function status(context: CliContext): Promise<undefined> {
  const brandport = await context.brandport();
  const options = { signal: context.signal };
  const [catalog, analytics] = await Promise.all([
    brandport.catalog.status(options).withResponse(),
    brandport.analytics.status({}, options).withResponse(),
  ]);
  const limits = { catalog: limitOf(catalog.response), analytics: limitOf(analytics.response) };
  const whole: Status = { ...catalog.data, limits, datasets: analytics.data.datasets };
  context.output.item(whole, { id: ({ brand_id }) => brand_id, fields: linesOf });
}

/** Reads the limit that has the fewest requests left; null if the service does not limit the key. */
function limitOf({ headers }: ResponseInfo): Limit | null {
  const numbers = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  const [limit, remaining, reset] = numbers.map((text) => (text === null ? Number.NaN : Number(text)));
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  if (Number.isNaN(limit + remaining + reset)) return null;
  return { limit, remaining, resets_at: new Date(reset * 1_000).toISOString() };
}

function linesOf({ datasets, limits, ...key }: Status): [string, unknown][] {
  const limitText = (limit: Limit | null) =>
    limit === null ? 'not limited' : `${limit.remaining} of ${limit.limit} left until ${limit.resets_at}`;
  const days = Object.entries(datasets ?? {}).map(
    ([name, { oldest_date, latest_date }]): [string, unknown] => [
      `${name} days`,
      latest_date === null ? null : `${oldest_date} to ${latest_date}`,
    ],
  );
  return [
    ['brand', key.brand_id],
    ['key', key.key_id],
    ['name', key.name],
    ['expires', key.expires_at],
    ['scopes', key.scopes],
    ['catalog requests', limitText(limits.catalog)],
    ['analytics requests', limitText(limits.analytics)],
    ...(datasets === null ? ([['datasets', 'unavailable']] as [string, unknown][]) : days),
  ];
}
