import { datasetNames } from '../columns/dataset-table.ts';
import { UsageError } from '../errors/cli-error.ts';
import { isDay } from '../pull/days.ts';

/** The file of `--config`. */
export interface TapConfig {
  /** The address of the service, together with `api_key`; without both, the profile or the environment is used. */
  readonly url?: string;
  readonly api_key?: string;
  /** The first day of a first run; default: the first day of the service. */
  readonly start_date?: string;
  /** Default: all datasets that the key can read. */
  readonly streams?: readonly string[];
  /** True to leave out running totals. */
  readonly without_cumulative?: boolean;
}

/** Checks a configuration. The messages have none of its values but names. @throws UsageError */
export function parseTapConfig(value: unknown): TapConfig {
  if (typeof value !== 'object' || value === null)
    throw new UsageError('The configuration is not an object.');
  const { url, api_key, start_date, streams, without_cumulative = false } = value as Record<string, unknown>;
  if ((url === undefined) !== (api_key === undefined))
    throw new UsageError(
      'The configuration needs url and api_key, or neither: a key belongs to its service.',
    );
  for (const [name, text] of Object.entries({ url, api_key, start_date }))
    if (text !== undefined && typeof text !== 'string') throw new UsageError(`${name} is not a string.`);
  // Meltano and others write a date with a time.
  const day = start_date === undefined ? undefined : (start_date as string).slice(0, 10);
  if (day !== undefined && !isDay(day)) throw new UsageError('start_date is not a day, such as 2026-03-01.');
  if (typeof without_cumulative !== 'boolean')
    throw new UsageError('without_cumulative is not true or false.');
  const names: readonly unknown[] | undefined = streams === undefined ? undefined : [streams].flat();
  const unknown = names?.find((name) => !datasetNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new UsageError(`streams has an unknown dataset: ${datasetNames.join(', ')}.`);
  return {
    ...(url !== undefined && { url: url as string, api_key: api_key as string }),
    ...(day !== undefined && { start_date: day }),
    ...(names !== undefined && { streams: names as string[] }),
    without_cumulative,
  };
}
