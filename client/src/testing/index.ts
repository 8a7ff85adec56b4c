import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import { scopes } from '../generated/scopes.ts';

/** A fault that requests meet, such as `drop-after-commit`; the guide of the sandbox lists them. */
export interface FaultRule {
  readonly fault: string;
  /** An operationId of the client API; absent: all. */
  readonly operation?: string;
  readonly share?: number;
  readonly every?: number;
}

export interface Finding {
  readonly mistake: string;
  readonly text: string;
  readonly count: number;
  readonly request_ids: readonly string[];
  readonly guide: string;
}

/** A brand of the sandbox, with a key that has every scope. Faults and report concern this brand. */
export interface SandboxBrand {
  readonly brandId: number;
  readonly address: string;
  readonly apiKey: string;
  faults(rules: readonly FaultRule[], seed?: number): Promise<void>;
  report(): Promise<readonly Finding[]>;
}

/** A running sandbox. It is its first brand as well, which has the demonstration catalog. */
export interface Sandbox extends SandboxBrand {
  /** Creates a brand without data, such as for one test. */
  newBrand(): Promise<SandboxBrand>;
  /** Moves the time of the service, never back; returns it. */
  clock(to: { readonly now: string } | { readonly advance_seconds: number }): Promise<string>;
  /** Ends the sandbox, if this process has started it. */
  stop(): Promise<void>;
}

export interface SandboxOptions {
  /** The program and its arguments; default: `npx --no brandport sandbox --json`. */
  readonly command?: readonly [string, ...string[]];
}

interface Ready {
  readonly client: string;
  readonly internal: string;
  readonly brand_id: number;
  readonly api_key: string;
  readonly admin_token: string;
}

/** The address of a running sandbox, for the processes of a test run. */
const variable = 'BRANDPORT_SANDBOX';
/** Variables that lead to another database, which a sandbox refuses. */
const foreign = [
  'DATABASE_URL',
  'REDIS_URL',
  'BRANDPORT_ANALYTICS_URL',
  'BRANDPORT_CLICKHOUSE_URL',
  variable,
];

/**
 * Starts a sandbox, or connects to the one that this test run has started: child processes inherit its address, so call it in
 * the global set-up of node:test, Vitest or Jest, and again in each file.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const running = process.env[variable];
  if (running !== undefined) return connect(JSON.parse(running), async () => {});
  const [program, ...args] = options.command ?? ['npx', '--no', 'brandport', 'sandbox', '--json'];
  const env = { ...process.env };
  for (const name of foreign) delete env[name];
  // A separate group: npx may end before the server behind it, which gets the signal too and keeps the pipes.
  const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = (): void => {
    try {
      if (child.pid !== undefined && child.stdout?.closed !== true) process.kill(-child.pid, 'SIGTERM');
    } catch {} // it has just ended
  };
  process.once('exit', kill);
  const ready = await firstLine(child);
  // A test that fails before `stop` must not keep its process, whose end ends the sandbox.
  const handles = [child, child.stdout, child.stderr] as readonly ({ ref?(): void; unref?(): void } | null)[];
  for (const handle of handles) handle?.unref?.();
  process.env[variable] = ready;
  return connect(JSON.parse(ready), async () => {
    delete process.env[variable];
    process.off('exit', kill);
    kill();
    // Its end is waited for also where nothing else keeps this process, such as at the end of a script.
    for (const handle of handles) handle?.ref?.();
    await ended;
  });
}

function firstLine(child: ChildProcess): Promise<string> {
  let [written, errors] = ['', ''];
  child.stderr?.on('data', (text) => {
    errors = (errors + text).slice(-4_000);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`The sandbox has ended: ${errors}`)));
    child.stdout?.on('data', (text) => {
      written += text;
      if (written.includes('\n')) resolve(written.split('\n', 1)[0] as string);
    });
  });
}

function connect(ready: Ready, stop: () => Promise<void>): Sandbox {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${ready.internal}/internal/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${ready.admin_token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = JSON.parse(await response.text());
    if (!response.ok) throw new Error(`${answer.message} ${JSON.stringify(answer.errors ?? {})}`);
    return answer;
  };
  const brandOf = (brandId: number, apiKey: string): SandboxBrand => ({
    brandId,
    apiKey,
    address: ready.client,
    faults: async (rules, seed = 0) => {
      await call('PUT', '/sandbox/faults', { brand_id: brandId, seed, rules });
    },
    report: async () => (await call('GET', `/sandbox/report?brand_id=${brandId}`)).findings,
  });
  return {
    ...brandOf(ready.brand_id, ready.api_key),
    newBrand: async () => {
      const { id } = await call('POST', '/brands', { name: 'Test' });
      const { api_key } = await call('POST', `/brands/${id}/keys`, { name: 'Test', scopes });
      return brandOf(id, api_key);
    },
    clock: async (to) => (await call('PUT', '/sandbox/clock', to)).now,
    stop,
  };
}
