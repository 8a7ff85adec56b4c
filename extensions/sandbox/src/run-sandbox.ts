import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addDays, daysOf, yesterdayOf } from '../../../server/src/analytics/day.ts';
import { scopes } from '../../../server/src/api/access.ts';
import { type Config, ConfigError, loadConfig } from '../../../server/src/config.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { RunExtension } from '../../../server/src/serve/extension.ts';
import { StartError } from '../../../server/src/serve/lifetime.ts';
import { removeLeftSandboxes, sandboxPrefix } from './left-sandboxes.ts';
import { reportText, reportToWire } from './report.ts';
import { createSandbox } from './sandbox.ts';

export interface SandboxBrand {
  readonly brandId: number;
  readonly apiKey: string;
  /** The distance of its clock to the system's; absent: none. */
  readonly aheadMs?: number;
}

export interface SandboxDir {
  readonly path: string;
  readonly isKept: boolean;
  /** null: the directory is new. */
  readonly brand: SandboxBrand | null;
  keep(brand: SandboxBrand): Promise<void>;
  close(): Promise<void>;
}

const brandFile = 'sandbox.json';

/** Creates a temporary directory, or opens the one to keep: empty, or that of a sandbox. @throws StartError */
export async function openSandboxDir(kept: string | null): Promise<SandboxDir> {
  if (kept === null) {
    const path = await mkdtemp(join(tmpdir(), sandboxPrefix));
    const close = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
    return { path, isKept: false, brand: null, keep: async () => {}, close };
  }
  const path = resolve(kept);
  const file = join(path, brandFile);
  const brand = await readBrand(path, file).catch((error: Error) => {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} cannot be used for a sandbox: ${error.message}`);
  });
  const keep = (created: SandboxBrand) => writeFile(file, `${JSON.stringify(created)}\n`, { mode: 0o600 });
  return { path, isKept: true, brand, keep, close: async () => {} };
}

async function readBrand(path: string, file: string): Promise<SandboxBrand | null> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const names = await readdir(path);
  if (names.length === 0) return null;
  if (!names.includes(brandFile))
    throw new StartError(
      `${path} is neither empty nor the directory of a sandbox. Name an empty directory, or one that does not exist.`,
    );
  return JSON.parse(await readFile(file, 'utf8'));
}

export async function createBrand(call: InternalCall): Promise<SandboxBrand> {
  const { id } = await call('POST', '/brands', { name: 'Sandbox' });
  const { api_key: apiKey } = await call('POST', `/brands/${id}/keys`, { name: 'Sandbox key', scopes });
  return { brandId: Number(id), apiKey: String(apiKey) };
}

const dayCount = 30;
const learners = ['u-4711', 'u-4712'];
const contents = ['ep-12', 'ep-13'];

/** Gives the demonstration brand learning events of 30 days, until yesterday, and aggregates them. */
export async function fillBrand(call: InternalCall, brandId: number): Promise<void> {
  const to = yesterdayOf(systemClock.now());
  const from = addDays(to, 1 - dayCount);
  const items = daysOf({ from, to }).flatMap(eventsOfDay);
  await call('POST', `/brands/${brandId}/events`, { items });
  await call('POST', `/brands/${brandId}/aggregations`, { from, to });
}

function eventsOfDay(day: string, index: number): object[] {
  return learners.flatMap((user, which) => {
    const content = { type: 'episode', tu_id: contents[(index + which) % contents.length] };
    const event = (kind: string, hour: number, more: object) => ({
      event_id: `sandbox-${day}-${user}-${kind}`,
      occurred_at: `${day}T${String(hour + which).padStart(2, '0')}:15:00Z`,
      kind,
      user,
      content,
      ...more,
    });
    const seconds = 60 + ((index * 37 + which * 11) % 240);
    return [
      event('view', 9, { progress: (index * 13) % 101, time_spent_seconds: seconds }),
      ...(index % 3 === which
        ? [event('quiz', 11, { score: 50 + ((index * 7) % 51), questions: 5, answered: 5, xp_earned: 10 })]
        : []),
    ];
  });
}

/** Sends a request below `/internal/v1` and returns the body of its response; throws for a refusal. */
export type InternalCall = (method: string, path: string, body: unknown) => Promise<Record<string, unknown>>;

export function internalClient(internalUrl: string, token: string): InternalCall {
  return async (method, path, body) => {
    const response = await fetch(`${internalUrl}/internal/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** Equal to that of `brandport serve`. */
const stopGraceMs = 6_500;

/** Serves a sandbox until the process is stopped; its data vanish then, unless they are kept. */
export const runSandbox: RunExtension = async (
  { config, startServer, log, cancelled, write, tell },
  options,
) => {
  await removeLeftSandboxes(log);
  const dir = await openSandboxDir(options['keep'] === undefined ? null : String(options['keep']));
  try {
    const isEmpty = options['empty'] === true;
    let brand = dir.brand;
    const sandbox = createSandbox({
      aheadMs: brand?.aheadMs ?? 0,
      keep: async (aheadMs) => {
        if (brand !== null) await dir.keep({ ...brand, aheadMs });
      },
    });
    const isNew = brand === null;
    const own = sandboxConfig(config, dir.path, { demo: isNew && !isEmpty, isTemporary: !dir.isKept });
    const server = await startServer(own, cancelled, sandbox.additions);
    try {
      const { clientUrl, internalUrl, adminToken, demo } = server;
      const call = internalClient(internalUrl, adminToken.value);
      if (brand === null) {
        brand = demo === null ? await createBrand(call) : { brandId: demo.brandId, apiKey: demo.apiKey };
        if (demo !== null) await fillBrand(call, brand.brandId);
        await dir.keep(brand);
      }
      const ready = { clientUrl, internalUrl, adminToken: adminToken.value, ...brand };
      write(options['json'] === true ? readyLine(ready) : readyText(ready, dir.isKept));
      if (!cancelled.aborted) await new Promise((resolve) => cancelled.addEventListener('abort', resolve));
    } finally {
      await server.stop(stopGraceMs);
    }
    const report = reportToWire(sandbox.log.list(null));
    if (options['json'] === true) write(`${JSON.stringify({ report })}\n`);
    else tell(reportText(report, server.clientUrl));
    return options['strict'] === true && report.findings.length > 0 ? 1 : 0;
  } catch (error) {
    if (cancelled.aborted) return 0;
    throw error;
  } finally {
    await dir.close();
  }
};

interface ReadySandbox extends SandboxBrand {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly adminToken: string;
}

export function readyLine({ clientUrl, internalUrl, adminToken, brandId, apiKey }: ReadySandbox): string {
  const line = {
    ready: true,
    sandbox: true,
    client: clientUrl,
    internal: internalUrl,
    brand_id: brandId,
    api_key: apiKey,
    admin_token: adminToken,
  };
  return `${JSON.stringify(line)}\n`;
}

/** The same for people. */
function readyText(ready: ReadySandbox, isKept: boolean): string {
  const { clientUrl, internalUrl, adminToken, brandId, apiKey } = ready;
  return `
Brandport sandbox, ${isKept ? 'its data are kept' : 'its data vanish when it stops'}. Stop it with Ctrl-C.

  Address       ${clientUrl}
  API key       ${apiKey}   (brand ${brandId}, every scope)
  Console       ${internalUrl}/console/
  Admin token   ${adminToken}

  curl -s -H 'Authorization: Bearer ${apiKey}' '${clientUrl}/v1/client/catalog/products'

`;
}

/** The settings that lead to data of another server. */
const foreign = {
  databaseUrl: 'DATABASE_URL',
  analyticsUrl: 'BRANDPORT_ANALYTICS_URL',
  engineUrl: 'BRANDPORT_CLICKHOUSE_URL',
  redisUrl: 'REDIS_URL',
} as const;

/**
 * Returns the configuration of a sandbox: all defaults, with what is given for hosts, ports and the log; without ports, free
 * ones.
 * @throws ConfigError if the given one leads to another database
 */
function sandboxConfig(
  given: Config,
  dataDir: string,
  { demo, isTemporary }: { demo: boolean; isTemporary: boolean },
): Config {
  const names = Object.keys(foreign) as (keyof typeof foreign)[];
  const problems = names
    .filter((name) => given[name] !== null)
    .map((name) => `${foreign[name]} must not be set: a sandbox has its own database.`);
  if (problems.length > 0) throw new ConfigError(problems);
  const { logLevel, logFormat, client, internal } = given;
  const portOf = (name: string, { port }: { port: number }) => (given.givenSettings.has(name) ? port : 0);
  return {
    ...loadConfig({}, dataDir),
    dataDir,
    isDataTemporary: isTemporary,
    demo,
    logLevel,
    logFormat,
    client: { host: client.host, port: portOf('PORT', client) },
    internal: { host: internal.host, port: portOf('BRANDPORT_INTERNAL_PORT', internal) },
  };
}
