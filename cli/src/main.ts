import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import { exitCodes, Interrupted } from './errors.ts';
import { runCli } from './run-cli.ts';

// The only file that reads the environment, the arguments and the signals.

const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));

const code = await runCli({
  version,
  args: process.argv.slice(2),
  env: process.env,
  home: findHome(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  patienceMs: 600_000,
  listenForInterrupts,
});
// Not process.exit: a long output may not have been flushed into a pipe yet.
process.exitCode ??= code;
if (code === exitCodes.interrupted) process.exit(code);

/** A user of a container may have neither a home nor `HOME`; the server's commands, which start here too, need none. */
function findHome(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}

/** Returns a signal that the first Ctrl-C aborts. The second one ends the process at once. */
function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.interrupted);
      controller.abort(new Interrupted());
    });
  return controller.signal;
}
