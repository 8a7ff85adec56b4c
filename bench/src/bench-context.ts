import type pg from 'pg';
import type { BenchBrand } from './data/catalog-data.ts';
import type { LoadSpec } from './load/load-spec.ts';
import { type Endpoint, measureLoad } from './load/measure-load.ts';
import type { BenchPostgres } from './postgres.ts';
import type { Measured } from './rounds.ts';
import type { Scale } from './scale.ts';
import type { Service, ServiceOptions } from './service.ts';
import type { BareWrites } from './yardsticks/run-bare-writes.ts';
import type { ThinServer } from './yardsticks/run-thin-server.ts';

/** A server with the data of its database: the one under test, or that of another checkout. */
export interface Subject {
  readonly scale: Scale;
  readonly service: Service;
  /** A connection for set-up. */
  readonly client: pg.Client;
  /** 1,000,000 products. */
  readonly large: BenchBrand;
}

/** The server of `--against`. */
export interface OtherVersion extends Subject {
  /** Its commit. */
  readonly name: string;
}

/** The environment of a part: data, server and yardsticks. */
export interface BenchContext extends Subject {
  readonly postgres: BenchPostgres;
  /** Also measures statements one at a time. */
  readonly client: pg.Client;
  /** The Brandport under test; its catalog is on `postgres`. */
  readonly service: Service;
  readonly thin: ThinServer;
  readonly bareWrites: BareWrites;
  /** Starts another process of the server under test, on the same database or the given one. It ends with the benchmark. */
  startProcess(
    options?: Pick<ServiceOptions, 'env'> & { readonly postgres?: BenchPostgres },
  ): Promise<Service>;
  /** Null without `--against`. */
  readonly other: OtherVersion | null;
  /** 1,000 products with 3 variants each. */
  readonly small: BenchBrand;
  /** Holds the data of the database and of the server. */
  readonly dataDir: string;
  /** Receives the results. */
  readonly outDir: string;
  /** Prints progress to standard error. */
  note(line: string): void;
}

/** Connections of a load. The targets are defined for this number. */
export const loadConnections = 32;

/** A load on an endpoint. Default: 32 connections for one round, status 200. */
export type Load = { readonly on: Endpoint } & Pick<LoadSpec, 'requests'> & Partial<Omit<LoadSpec, 'url'>>;

/** Runs a load and measures what it costs. */
export function measure(
  { scale }: Pick<BenchContext, 'scale'>,
  { on, ...load }: Load,
): ReturnType<typeof measureLoad> {
  return measureLoad(on, {
    connections: loadConnections,
    seconds: scale.roundSeconds,
    expectedStatus: 200,
    ...load,
  });
}

/** Requests per second of a closed loop, and their processor time. */
export async function rate(context: Pick<BenchContext, 'scale'>, load: Load): Promise<Measured> {
  const { requestsPerSecond, cpu } = await measure(context, load);
  return { value: requestsPerSecond, cpu };
}

/** The latency of the requests of a load in milliseconds, and their processor time. */
export async function latency(
  context: Pick<BenchContext, 'scale'>,
  load: Load,
  percentile: 'p50' | 'p99' = 'p50',
): Promise<Measured> {
  const { [percentile]: value, cpu } = await measure(context, load);
  return { value, cpu };
}

/** Runs a load before it is measured, so that plans, caches and compiled code are as in operation. */
export async function warmUp({ scale }: Pick<BenchContext, 'scale'>, load: Load): Promise<void> {
  await rate({ scale }, { ...load, seconds: scale.warmUpSeconds });
}

/** Formats a rate, as in `4,120 req/s`. */
export function perSecond(value: number, unit = 'req'): string {
  return `${Math.round(value).toLocaleString('en-US')} ${unit}/s`;
}

/** Formats a duration, as in `0.214 ms`. */
export function milliseconds(value: number): string {
  return `${value >= 10 ? value.toFixed(1) : value.toFixed(3)} ms`;
}
