import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds after which a test process is ended: the runner's own limit ends tests, not a process that stays open. */
const processLimitMs = Number(process.env['BRANDPORT_TEST_PROCESS_MINUTES'] ?? 30) * 60_000;

/**
 * Ends this process with an error when it still runs after `limitMs` milliseconds, and names what keeps it open. Keeps no
 * process open itself. Each process that the runner starts imports this module and has a limit.
 *
 * @returns lifts the limit
 */
export function limitTime(what: string, limitMs: number): () => void {
  const timer = setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`✖ ${what}: not done after ${limitMs / 1000} s. Open: ${open || 'nothing'}.\n`);
    process.exit(1);
  }, limitMs).unref();
  return () => clearTimeout(timer);
}

// The runner itself imports this module, too.
if (isMainThread && process.env['NODE_TEST_CONTEXT'] !== undefined)
  limitTime(process.argv[1] ?? 'tests', processLimitMs);
