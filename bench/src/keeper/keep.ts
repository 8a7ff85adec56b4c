import { rm } from 'node:fs/promises';
import process from 'node:process';
import {
  keepPostgres,
  killPrograms,
  runProgram,
  startProgram,
  stopPostgres,
  stopProgram,
} from './children.ts';
import type { Answer, Request } from './messages.ts';

/**
 * The keeper: the process that starts PostgreSQL and the servers of a benchmark, and stops them when the benchmark has
 * stopped. The channel to the benchmark closes with it, also after `kill -9`. The keeper ignores the signals that a terminal
 * sends to the whole group, so that it can tidy up after them.
 */
const removeAtEnd: string[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.on('message', (request: Request) => {
  serve(request).then(
    (result) => answer({ id: request.id, result }),
    (error: Error) => answer({ id: request.id, error: error.message }),
  );
});
process.on('disconnect', () => {
  void end();
});

async function serve(request: Request): Promise<unknown> {
  switch (request.do) {
    case 'start-postgres':
      return keepPostgres(request.dataDir);
    case 'start-program':
      return startProgram(request.program);
    case 'run-program':
      return runProgram(request.program);
    case 'stop-program':
      return stopProgram(request.pid);
    case 'remove-at-end':
      return removeAtEnd.push(request.dir);
  }
}

function answer(message: Answer): void {
  // The benchmark may have gone in between.
  if (process.connected) process.send?.(message, () => {});
}

async function end(): Promise<void> {
  await killPrograms();
  await stopPostgres();
  for (const dir of removeAtEnd) await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  process.exit(0);
}
