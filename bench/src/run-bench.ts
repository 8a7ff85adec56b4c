import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { isClickHouseInstalled } from '../../extensions/clickhouse/test/support/clickhouse-engine.ts';
import type { BenchContext } from './bench-context.ts';
import { runProgram } from './children.ts';
import { type BenchBrand, filledBrand } from './data/catalog-data.ts';
import type { BenchOptions } from './options.ts';
import { assertMeasured, type Part } from './part.ts';
import { parts } from './parts/index.ts';
import { connect, startPostgres, upgrade } from './postgres.ts';
import { performancePage } from './report/performance-page.ts';
import { ratioTable, reportText } from './report/run-tables.ts';
import { currentCommit, describeMachine, type PartResult } from './run-results.ts';
import { serverProgram, startService } from './service.ts';
import { startOther } from './start-other.ts';
import { startBareWrites } from './yardsticks/run-bare-writes.ts';
import { startThinServer } from './yardsticks/run-thin-server.ts';

export interface RunOptions
  extends Pick<BenchOptions, 'scale' | 'only' | 'against' | 'out' | 'doctor' | 'page'> {
  readonly dataDir: string;
  note(line: string): void;
  print(text: string): void;
}

/**
 * Starts a database, the server and the yardsticks, loads the data, runs the parts, writes the results, and finally
 * runs doctor on the data.
 *
 * @throws Error when a part measured nothing, or doctor finds a difference
 */
export async function runBench(options: RunOptions): Promise<void> {
  const { scale, only, against, dataDir, out: outDir, doctor, page, note, print } = options;
  for (const dir of [dataDir, outDir]) await mkdir(dir, { recursive: true });
  const postgres = await startPostgres(dataDir);
  await upgrade(postgres.address);
  const client = await connect(postgres.address);
  try {
    const service = await startService({ postgres, dataDir: join(dataDir, 'server') });
    const thin = await startThinServer(postgres);
    const bareWrites = await startBareWrites(postgres);
    const prove = () => proveConsistent(postgres.url, join(dataDir, 'server'));
    const brands = await loadOnce(join(dataDir, `brands-${scale.name}.json`), note, async () => {
      const { smallProducts, largeProducts, largeWithVariants } = scale;
      const small = { products: smallProducts, withVariants: smallProducts };
      const large = { products: largeProducts, withVariants: largeWithVariants };
      const made = {
        small: await filledBrand(service, client, 'A', small),
        large: await filledBrand(service, client, 'B', large),
      };
      note('asking doctor about the loaded data …');
      await prove();
      return made;
    });
    const other =
      against === null
        ? null
        : await startOther({ postgres, client, large: brands.large, scale, dataDir }, against);
    const context: BenchContext = {
      scale,
      postgres,
      client,
      service,
      thin,
      bareWrites,
      startProcess: (options) =>
        startService({ postgres, dataDir: join(dataDir, `server-${randomUUID()}`), ...options }),
      other,
      ...brands,
      dataDir,
      outDir,
      note,
    };
    const results: PartResult[] = [];
    const run = {
      scale,
      machine: await describeMachine(client),
      startedAt: new Date().toISOString(),
      commit: currentCommit(),
      results,
    };
    // Writes after each part, so that a failure does not lose the parts before it.
    const write = async () => {
      const file = join(outDir, scale.name);
      await writeFile(`${file}.json`, `${JSON.stringify(run, null, 2)}\n`);
      await writeFile(`${file}.md`, reportText(run));
    };
    const isPossible = ({ needs }: Part) => {
      if (needs === 'ClickHouse') return isClickHouseInstalled();
      return needs === undefined || (other !== null && (needs === 'other' || other.client !== client));
    };
    const chosen = parts.filter((part) => (only === null || only.includes(part.name)) && isPossible(part));
    for (const part of chosen) {
      note(`${part.name} …`);
      service.beginPart();
      await service.readVitals();
      const ratios = await part.run(context);
      await service.readVitals();
      const vitals = service.vitalsOfPart();
      note(ratioTable(ratios));
      assertMeasured(part.name, ratios);
      results.push({ part: part.name, ratios, vitals });
      await write();
    }
    if (doctor) {
      note('asking doctor …');
      await prove();
    }
    print(reportText(run));
    if (page !== null) await writeFile(page, await performancePage(run));
    if (other !== null && other.client !== client) await other.client.end();
    await service.stop();
  } finally {
    await client.end();
  }
}

type Brands = Record<'small' | 'large', BenchBrand>;

/** Loads the brands, or reads them from `file` when the database is reused. */
async function loadOnce(
  file: string,
  note: (line: string) => void,
  load: () => Promise<Brands>,
): Promise<Brands> {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Brands;
  note('loading the data …');
  const start = performance.now();
  const brands = await load();
  note(`loaded in ${Math.round((performance.now() - start) / 1000)} s`);
  await writeFile(file, JSON.stringify(brands));
  return brands;
}

/** Runs doctor on the data. @throws Error with the mismatches that doctor reports */
async function proveConsistent(databaseUrl: string, dataDir: string): Promise<void> {
  const { code, output } = await runProgram({
    args: [serverProgram, 'doctor'],
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, BRANDPORT_DATA_DIR: dataDir },
    showErrors: true,
  });
  if (code !== 0) throw new Error(`doctor has found differences:\n${output.slice(0, 2_000)}`);
}
