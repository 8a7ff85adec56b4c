import { type ColumnType, type DatasetName, type DatasetTable, datasetNames } from '../columns/datasets.ts';
import { UsageError } from '../errors.ts';
import { isDay } from '../pull/plan.ts';

/** `INCREMENTAL`: the days that changed. `FULL_TABLE`: all days in every run. */
export type ReplicationMethod = 'INCREMENTAL' | 'FULL_TABLE';

/** An entry of a Singer catalog. */
interface CatalogStream {
  readonly tap_stream_id: string;
  readonly stream: string;
  readonly schema: SingerSchema;
  readonly key_properties: readonly string[];
  readonly replication_method: ReplicationMethod;
  readonly metadata: readonly {
    readonly breadcrumb: readonly string[];
    readonly metadata: Readonly<Record<string, unknown>>;
  }[];
}

export interface Catalog {
  readonly streams: readonly CatalogStream[];
}

/** A stream that a run sends. */
export interface SelectedStream {
  readonly table: DatasetTable;
  readonly method: ReplicationMethod;
}

/**
 * The method unless a catalog says otherwise. Rows that are gone have no message in Singer: only a target that overwrites
 * the table, or replaces whole days, loses them [D152].
 */
export function defaultMethod({ name }: DatasetTable): ReplicationMethod {
  return name === 'daily' ? 'INCREMENTAL' : 'FULL_TABLE';
}

/** Returns the catalog of `--discover`. All streams are selected. */
export function discoveredCatalog(tables: readonly DatasetTable[]): Catalog {
  return {
    streams: tables.map((table) => ({
      tap_stream_id: table.name,
      stream: table.name,
      schema: singerSchema(table),
      key_properties: table.key,
      replication_method: defaultMethod(table),
      metadata: [
        {
          breadcrumb: [],
          metadata: {
            selected: true,
            'table-key-properties': table.key,
            'valid-replication-keys': ['date'],
            'replication-method': defaultMethod(table),
          },
        },
      ],
    })),
  };
}

/** Returns the selected streams of a catalog, which a user or an orchestrator may have edited. @throws UsageError */
export function selectedStreams(catalog: unknown, tables: readonly DatasetTable[]): SelectedStream[] {
  const { streams } = (catalog ?? {}) as Partial<Catalog>;
  if (!Array.isArray(streams)) throw new UsageError('The catalog has no streams.');
  const entries = new Map<DatasetName, Partial<CatalogStream>>(
    streams.map((stream: Partial<CatalogStream>) => [stream?.tap_stream_id as DatasetName, stream]),
  );
  const unknown = [...entries.keys()].find((name) => !tables.some((table) => table.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `The catalog has a stream "${unknown}", which does not exist or which the key cannot read.`,
    );
  return tables.flatMap((table) => {
    const stream = entries.get(table.name);
    if (stream === undefined) return [];
    const whole = stream.metadata?.find(({ breadcrumb }) => breadcrumb.length === 0)?.metadata ?? {};
    if ((whole['selected'] ?? whole['selected-by-default'] ?? true) !== true) return [];
    const method = whole['replication-method'] ?? stream.replication_method ?? defaultMethod(table);
    if (method !== 'INCREMENTAL' && method !== 'FULL_TABLE')
      throw new UsageError(
        `${table.name}: the replication method is INCREMENTAL or FULL_TABLE, not "${method}".`,
      );
    return [{ table, method }];
  });
}

/** A JSON Schema of a stream, as Singer targets read it. */
export interface SingerSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
}

const jsonTypes: Readonly<Record<ColumnType, { readonly type: string; readonly format?: string }>> = {
  date: { type: 'string', format: 'date' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  json: { type: 'object' },
};

/** Returns the schema of a dataset. Everything but the key can be null: an older service lacks newer fields. */
export function singerSchema({ columns, key }: DatasetTable): SingerSchema {
  const properties = columns.map(({ name, type }) => {
    const { type: jsonType, ...rest } = jsonTypes[type];
    const isRequired = name === 'date' || key.includes(name);
    return [name, { type: isRequired ? jsonType : [jsonType, 'null'], ...rest }];
  });
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The file of `--config`. */
export interface TapConfig {
  /** The address of the service, together with `api_key`; without both, the profile or the environment is used. */
  readonly url?: string;
  readonly api_key?: string;
  /** The first day of a first run; default: the first day of the service. */
  readonly start_date?: string;
  /** Default: all datasets that the key can read. */
  readonly streams?: readonly DatasetName[];
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
    ...(names !== undefined && { streams: names as DatasetName[] }),
    without_cumulative,
  };
}
