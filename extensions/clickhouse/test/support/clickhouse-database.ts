import { after } from 'node:test';
import { createClient } from '@clickhouse/client';
import { randomHex } from '../../../../server/src/lib/ids.ts';
import { type ClickHouseEngine, startClickHouseEngine } from './clickhouse-engine.ts';

/** An empty ClickHouse database of one test file. */
export interface ClickHouseDatabase {
  /** `http://127.0.0.1:<port>/<database>`, as `BRANDPORT_CLICKHOUSE_URL`. */
  readonly url: string;
  readonly database: string;
  /** Runs before the database is dropped, to stop its users first. */
  beforeClose(work: () => Promise<void>): void;
}

/** The engine that the files of this process share, started by the first one. */
let shared: Promise<ClickHouseEngine> | null = null;

/**
 * Creates a database for one test file and drops it when the file is done. Call it at the top of the file, after
 * `isClickHouseInstalled()`. The engine is one for each process; tests that pause or kill it start their own with
 * `startClickHouseEngine()`. With `BRANDPORT_TEST_CLICKHOUSE_URL` the database is created on that server instead.
 */
export async function createClickHouseDatabase(): Promise<ClickHouseDatabase> {
  const closers: (() => Promise<void>)[] = [];
  // Before the first `await`, so that it belongs to the file or suite that is running now.
  after(async () => {
    for (const close of closers) await close();
  });
  const database = `test_${randomHex(12)}`;
  const server = new URL(await serverUrl());
  await command(server, `create database ${database}${onCluster()}`);
  const beforeClose: (() => Promise<void>)[] = [];
  closers.push(async () => {
    for (const close of beforeClose) await close();
    await command(server, `drop database if exists ${database}${onCluster()} sync`);
  });
  const url = new URL(server);
  url.pathname = `/${database}`;
  return { url: url.href, database, beforeClose: (work) => void beforeClose.push(work) };
}

async function serverUrl(): Promise<string> {
  const given = process.env['BRANDPORT_TEST_CLICKHOUSE_URL'];
  if (given !== undefined) return given;
  shared ??= startClickHouseEngine();
  return (await shared).url;
}

function onCluster(): string {
  const cluster = process.env['BRANDPORT_TEST_CLICKHOUSE_CLUSTER'];
  return cluster === undefined ? '' : ` on cluster ${cluster}`;
}

async function command(server: URL, query: string): Promise<void> {
  const client = createClient({ url: server });
  try {
    await client.command({ query });
  } finally {
    await client.close();
  }
}
