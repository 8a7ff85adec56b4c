import process from 'node:process';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { noteBegin, noteEnd } from './group-progress.ts';
import { changesOf, processState } from './process-state.ts';
import { cpuUseBetween, readCpuUse } from './profile/cpu-use.ts';
import { recordUse } from './profile/record-use.ts';
import { limitTime } from './time-limit.ts';

/** Milliseconds that the tests of one file of a group may take, and the file with its hooks. */
const testsLimitMs = 600_000;
const fileLimitMs = 660_000;

/**
 * Runs test files one after the other in this process, each as a suite: the hooks at the top of a file apply to that
 * file, and its databases are dropped when it is done. A file that leaves the process changed fails, since later files
 * could depend on it.
 * @param files paths from the current directory
 * @param progressFile names the running file; `npm test` reads it when the process exits too early
 */
export async function runFiles(files: readonly string[], progressFile: string): Promise<void> {
  // When the run is interrupted, the exit handlers of the files stop the processes that they started.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  for (const [index, file] of files.entries()) {
    noteBegin(progressFile, files, index);
    const before = processState();
    const usedBefore = readCpuUse();
    const beganAt = performance.now();
    // A hook that never ends would hold up the whole run.
    const liftLimit = limitTime(file, fileLimitMs);
    const { promise: done, resolve } = Promise.withResolvers<void>();
    describe(file, { timeout: testsLimitMs }, async () => {
      try {
        await import(pathToFileURL(file).href);
      } finally {
        after(() => {
          resolve();
          const changes = changesOf(before, processState());
          if (changes.length > 0)
            throw new Error(
              `It leaves changed: ${changes.join(', ')}. Begin the file with "// own process: <why>".`,
            );
        });
      }
    });
    await done;
    liftLimit();
    const cpu = cpuUseBetween(usedBefore, readCpuUse());
    recordUse({ kind: 'file', name: file, cpu, wall: performance.now() - beganAt });
  }
  noteEnd(progressFile);
}
