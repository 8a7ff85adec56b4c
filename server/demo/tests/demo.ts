import {
  createTestDatabase,
  databaseUrl,
  type TestDatabase,
  testServer,
} from '../../test/support/test-database.ts';
import type { DataSet } from '../data-sets/data-set.ts';
import { type DemoServer, startDemoServer } from '../demo-server.ts';
import type { Output } from '../progress.ts';
import type { StepResult } from '../report.ts';
import { runDemo } from '../run-demo.ts';

export interface DemoUnderTest {
  readonly testDatabase: TestDatabase;
  /** A server process without limits. */
  readonly server: DemoServer;
  run(dataSets: readonly DataSet[], options?: { dataDir?: string; part?: number }): Promise<StepResult[]>;
}

/** A server process on a new database of the test run, which starts faster than an embedded one. */
export async function startDemoUnderTest(): Promise<DemoUnderTest> {
  const testDatabase = await createTestDatabase();
  const server = await startDemoServer({
    env: process.env,
    fast: true,
    databaseUrl: databaseUrl({ ...(await testServer()), database: testDatabase.address.database }),
  });
  testDatabase.beforeClose(() => server.stop());
  return {
    testDatabase,
    server,
    run: (dataSets, { dataDir = '', part } = {}) =>
      runDemo({
        target: server,
        dataDir,
        dataSets,
        part: part ?? null,
        output: collectOutput().output,
        signal: new AbortController().signal,
      }),
  };
}

/** An output stream that is not a terminal. */
export function collectOutput(): { readonly output: Output; text(): string } {
  const parts: string[] = [];
  const output = { write: (part: string | Uint8Array) => parts.push(String(part)) > 0 };
  return { output, text: () => parts.join('') };
}

/** The differences of all steps, each after the name of its step. */
export function differencesOf(results: readonly StepResult[]): string[] {
  return results.flatMap(({ name, differences }) => differences.map((text) => `${name} | ${text}`));
}
