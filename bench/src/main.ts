import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { readOptions } from './options.ts';
import { performancePage } from './report/performance-page.ts';
import { runBench } from './run-bench.ts';
import { mergeRunResults, readRunResults } from './run-results.ts';

/** `npm run bench`: compares Brandport with yardsticks measured in the same run on the same machine. */
const options = readOptions(process.argv);
if (options.page !== null && options.from !== null) {
  const runs = await Promise.all(options.from.map(readRunResults));
  await writeFile(options.page, await performancePage(mergeRunResults(runs)));
  process.exit();
}
const dataDir = options.keep ?? (await mkdtemp(join(tmpdir(), 'brandport-bench-')));
try {
  await runBench({
    ...options,
    dataDir,
    note: (line) => process.stderr.write(`${line}\n`),
    print: (text) => process.stdout.write(`${text}\n`),
  });
} finally {
  if (options.keep === null) await rm(dataDir, { recursive: true, force: true });
}
