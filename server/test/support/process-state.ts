import process from 'node:process';

/** Events of the process that decide how it fails or what it prints. The test runner itself listens to the others. */
const watchedEvents = ['uncaughtExceptionMonitor', 'warning'];

/** Returns the process state that a test file could change for later files in the process, by name. */
export function processState(): ReadonlyMap<string, unknown> {
  const state = new Map<string, unknown>([
    ['the working directory', process.cwd()],
    ['Date', Date],
    ['Date.now', Date.now],
    ['setTimeout', setTimeout],
    ['setInterval', setInterval],
    ['setImmediate', setImmediate],
    ['fetch', fetch],
    ['performance.now', performance.now],
    ['process.stdout.write', process.stdout.write],
    ['process.stderr.write', process.stderr.write],
  ]);
  for (const [name, value] of Object.entries(process.env)) state.set(`the variable ${name}`, value);
  for (const event of watchedEvents) state.set(`listeners of ${event}`, process.listenerCount(event));
  return state;
}

/** The names of what differs between two states. */
export function changesOf(before: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((name) => before.get(name) !== now.get(name));
}
