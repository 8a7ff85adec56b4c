import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from './bench-context.ts';
import { type BenchBrand, makeFilledBrand } from './data/catalog-data.ts';
import type { Ratio } from './part.ts';
import { parts } from './parts/index.ts';
import { connect, startPostgres } from './postgres.ts';
import { ratioTable } from './report/ratio-table.ts';
import type { Scale } from './scale.ts';
import { startService } from './service.ts';
import { startThinServer } from './yardsticks/run-thin-server.ts';

export interface BenchOptions {
  readonly scale: Scale;
  /** Names of parts; null: all. */
  readonly only: readonly string[] | null;
  readonly dataDir: string;
  readonly outDir: string;
  note(line: string): void;
  print(text: string): void;
}

/** Starts a database, the server and the yardsticks, loads the data, runs the parts and writes what they measured. */
export async function runBench({ scale, only, dataDir, outDir, note, print }: BenchOptions): Promise<void> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    await mkdir(dataDir, { recursive: true });
    const postgres = await startPostgres(dataDir, note);
    stops.push(() => postgres.stop());
    const client = await connect(postgres.address);
    stops.push(() => client.end());
    const service = await startService({ databaseUrl: postgres.url, dataDir: join(dataDir, 'server') });
    stops.push(() => service.stop());
    const thin = await startThinServer(postgres.url);
    stops.push(() => thin.stop());
    const brands = await loadOnce(join(dataDir, `brands-${scale.name}.json`), note, async () => ({
      small: await makeFilledBrand(service, client, 'A', {
        products: scale.smallProducts,
        withVariants: scale.smallProducts,
      }),
      large: await makeFilledBrand(service, client, 'B', {
        products: scale.largeProducts,
        withVariants: scale.largeWithVariants,
      }),
    }));
    const context: BenchContext = { scale, postgres, client, service, thin, ...brands, note };
    const ratios: Ratio[] = [];
    for (const part of parts.filter(({ name }) => only === null || only.includes(name))) {
      note(`${part.name} …`);
      await service.readVitals();
      const found = await part.run(context);
      const vitals = await service.readVitals();
      note(`${ratioTable(found)}\n  ${JSON.stringify(vitals)}`);
      ratios.push(...found);
    }
    await mkdir(outDir, { recursive: true });
    await writeFile(join(outDir, `${scale.name}.json`), `${JSON.stringify({ scale, ratios }, null, 2)}\n`);
    print(ratioTable(ratios));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

type Brands = Record<'small' | 'large', BenchBrand>;

/** A database that is used again has its brands already. */
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
