// Loaded before a command line (`--import`): its waits of a second and more pass at once when it does nothing else, and the
// clock of the service moves with them.
import process from 'node:process';

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  fetch: globalThis.fetch,
  performanceNow: performance.now.bind(performance),
  dateNow: Date.now,
};
const longMs = 1_000;
/** The program is idle when nothing has begun or ended for this many looks. */
const quietLooks = 4;
const lookMs = 5;

interface Wait {
  at: number;
  readonly everyMs: number | null;
  readonly run: () => void;
  isRef: boolean;
}

const waits = new Set<Wait>();
let aheadMs = 0;
let inFlight = 0;
let quiet = 0;

const now = () => real.performanceNow() + aheadMs;
performance.now = now;
Date.now = () => real.dateNow() + aheadMs;

function add(run: () => void, ms: number, everyMs: number | null) {
  const wait: Wait = { at: now() + ms, everyMs, run, isRef: true };
  waits.add(wait);
  quiet = 0;
  keepAlive();
  const handle = {
    unref: () => ref(false),
    ref: () => ref(true),
    wait,
  };
  const ref = (isRef: boolean) => {
    wait.isRef = isRef;
    keepAlive();
    return handle;
  };
  return handle;
}

function remove(handle: unknown, clear: (handle: never) => void): void {
  const { wait } = (handle ?? {}) as { wait?: Wait };
  if (wait === undefined) clear(handle as never);
  else waits.delete(wait);
  quiet = 0;
  keepAlive();
}

Object.assign(globalThis, {
  setTimeout: (run: () => void, ms = 0, ...args: unknown[]) =>
    ms < longMs ? real.setTimeout(run, ms, ...args) : add(() => run(...(args as [])), ms, null),
  setInterval: (run: () => void, ms = 0) => (ms < longMs ? real.setInterval(run, ms) : add(run, ms, ms)),
  clearTimeout: (handle: unknown) => remove(handle, real.clearTimeout),
  clearInterval: (handle: unknown) => remove(handle, real.clearInterval),
  fetch: async (...request: Parameters<typeof fetch>) => {
    inFlight += 1;
    quiet = 0;
    try {
      const response = await real.fetch(...request);
      // Its body is a part of the request.
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response([204, 304].includes(status) ? null : body, { status, headers });
    } finally {
      inFlight -= 1;
      quiet = 0;
    }
  },
});

const looking = real.setInterval(() => void look(), lookMs);
keepAlive();

function keepAlive(): void {
  const isWaiting = [...waits].some(({ isRef }) => isRef);
  if (isWaiting) looking.ref();
  else looking.unref();
}

let isMoving = false;

async function look(): Promise<void> {
  quiet += 1;
  if (isMoving || inFlight > 0 || quiet < quietLooks || waits.size === 0) return;
  isMoving = true;
  const next = Math.min(...[...waits].map(({ at }) => at));
  const seconds = Math.max(0, Math.ceil((next - now()) / 1_000));
  await real.fetch(`${process.env['BRANDPORT_TEST_CLOCK']}/?ms=${seconds * 1_000}`);
  aheadMs += seconds * 1_000;
  const moment = now();
  for (const wait of [...waits].filter(({ at }) => at <= moment)) {
    if (wait.everyMs === null) waits.delete(wait);
    else wait.at += wait.everyMs;
    wait.run();
  }
  keepAlive();
  quiet = 0;
  isMoving = false;
}
