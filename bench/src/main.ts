import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { performancePage } from './report/performance-page.ts';
import { runBench } from './run-bench.ts';
import { readRunResults } from './run-results.ts';
import { scales } from './scale.ts';

/** `npm run bench`: compares Brandport with yardsticks measured in the same run on the same machine. */
const command = new Command('bench')
  .option('--quick', 'small data and short rounds: shows that everything runs, asserts no time')
  .option('--only <parts>', 'these parts only, separated by commas', (text) => text.split(','))
  .option('--rounds <n>', 'rounds of each comparison', Number)
  .option('--data <dir>', 'keep the database here and reuse it in the next run')
  .option('--out <dir>', 'where the results go', 'bench/results')
  .option('--page <file>', 'write the performance page from the results')
  .option('--from <file>', 'with --page: take the results from this file instead of a run');
command.parse();
const {
  quick = false,
  only,
  rounds,
  data,
  out,
  page,
  from,
} = command.opts<{
  quick?: boolean;
  only?: string[];
  rounds?: number;
  data?: string;
  out: string;
  page?: string;
  from?: string;
}>();
if (page !== undefined && only !== undefined)
  throw command.error('error: --page needs every part; leave out --only');
if (from !== undefined) {
  if (page === undefined) throw command.error('error: --from needs --page');
  await writeFile(page, await performancePage(await readRunResults(from)));
  process.exit();
}
const scale = scales[quick ? 'quick' : 'full'];
const dataDir = data === undefined ? await mkdtemp(join(tmpdir(), 'brandport-bench-')) : resolve(data);
try {
  await runBench({
    scale: rounds === undefined ? scale : { ...scale, rounds },
    only: only ?? null,
    dataDir,
    outDir: resolve(out),
    page: page === undefined ? null : resolve(page),
    note: (line) => process.stderr.write(`${line}\n`),
    print: (text) => process.stdout.write(`${text}\n`),
  });
} finally {
  if (data === undefined) await rm(dataDir, { recursive: true, force: true });
}
