import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Command } from 'commander';
import { runBench } from './run-bench.ts';
import { scales } from './scale.ts';

/** `npm run bench`: measures Brandport against yardsticks of the same machine and run. */
const command = new Command('bench')
  .option('--quick', 'small data and short rounds: shows that everything runs, asserts no time')
  .option('--only <parts>', 'these parts only, separated by commas', (text) => text.split(','))
  .option('--rounds <n>', 'rounds of each comparison', Number)
  .option('--data <dir>', 'keep the database here and use it again, instead of loading it anew')
  .option('--out <dir>', 'where the results go', 'bench/results');
command.parse();
const {
  quick = false,
  only,
  rounds,
  data,
  out,
} = command.opts<{
  quick?: boolean;
  only?: string[];
  rounds?: number;
  data?: string;
  out: string;
}>();
const scale = scales[quick ? 'quick' : 'full'];
const dataDir = data === undefined ? await mkdtemp(join(tmpdir(), 'brandport-bench-')) : resolve(data);
try {
  await runBench({
    scale: rounds === undefined ? scale : { ...scale, rounds },
    only: only ?? null,
    dataDir,
    outDir: resolve(out),
    note: (line) => process.stderr.write(`${line}\n`),
    print: (text) => process.stdout.write(`${text}\n`),
  });
} finally {
  if (data === undefined) await rm(dataDir, { recursive: true, force: true });
}
