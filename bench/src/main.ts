import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { endChildren, makeRunDir, removeDir } from './children.ts';
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
const dataDir = options.keep ?? (await makeRunDir());
const stopped = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
});
try {
  await Promise.race([run(), stopped]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  await endChildren();
  if (options.keep === null) await removeDir(dataDir);
}
// A load that still runs sees the end of this process.
process.exit();

async function run(): Promise<void> {
  await runBench({
    ...options,
    dataDir,
    note: (line) => process.stderr.write(`${line}\n`),
    print: (text) => process.stdout.write(`${text}\n`),
  });
}
