import process from 'node:process';
import { createTestApps, testAdminToken } from '../../test/support/test-apps.ts';
import { databaseUrl, type TestDatabase, testServer } from '../../test/support/test-database.ts';
import type { Target } from '../client/demo-brand.ts';
import type { DataSet } from '../data-sets/data-set.ts';
import type { DemoServer } from '../demo-server.ts';
import type { Output } from '../progress.ts';
import type { StepResult } from '../report.ts';
import { runDemo } from '../run-demo.ts';

export interface DemoUnderTest {
  readonly testDatabase: TestDatabase;
  /** The real apps without limits, on ports of this process; the environment leads the doctor to their database. */
  readonly server: Target & Pick<DemoServer, 'env'>;
  run(dataSets: readonly DataSet[], options?: { dataDir?: string; part?: number }): Promise<StepResult[]>;
}

export async function startDemoUnderTest(): Promise<DemoUnderTest> {
  const apps = await createTestApps({ runsJobs: true });
  const listen = { host: '127.0.0.1', port: 0 };
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const server = {
    clientUrl: await apps.clientApp.listen(listen),
    internalUrl: await apps.internalApp.listen(listen),
    adminToken: testAdminToken,
    env: {
      PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl({ ...(await testServer()), database: apps.address.database }),
    },
  };
  return {
    testDatabase: apps,
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
