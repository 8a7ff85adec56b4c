import process from 'node:process';
import { isMainThread } from 'node:worker_threads';
import { readCpuUse } from './cpu-use.ts';
import { recordUse } from './record-use.ts';

/** Loaded first into each process of the test runner by `npm test -- --profile`: records what the process used when it exits. */
if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined)
  process.on('exit', () => {
    const name = process.argv[1] ?? '';
    recordUse({ kind: 'process', name, cpu: readCpuUse(), wall: performance.now() });
  });
