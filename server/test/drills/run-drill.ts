import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportOf } from '../../src/catalog/feeds/tests/feeds.ts';
import { sendHttp } from '../support/http-client.ts';
import type { FiringAlert } from '../support/prometheus-server.ts';
import { projectDir } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { Drill } from './drills.ts';
import type { Kit, ProxyClients } from './kit.ts';

/** The alert reaches people within this time of the fault, with the shipped intervals. */
const alertLimitMs = 120_000;
/** Receivers of `deploy/alertmanager.yml` by severity, and its `group_wait`. */
const receivers = new Map([
  ['critical', 'on-call'],
  ['warning', 'team'],
]);
const groupWaitMs = 10_000;
/** A feed of a worker that was killed is found by the next one. */
const feedLimitMs = 180_000;

export interface DrillOutcome {
  readonly requests: number;
  /** Failed attempts by answer and proxy. */
  readonly failures: ReadonlyMap<string, number>;
  /** The longest time until a request succeeded, retries included. */
  readonly slowestMs: number;
  /** The time from the fault to the notification with the shipped intervals; null: no alert is due. */
  readonly alertMs: number | null;
  readonly alsoFired: readonly string[];
}

/**
 * Breaks the kit under load, waits for the alert, repairs it, and checks what clients saw and what is stored.
 * @throws AssertionError if a client saw what it may not, an alert was missing, late or without a cause, or a write is lost
 */
export async function runDrill(kit: Kit, drill: Drill): Promise<DrillOutcome> {
  await kit.watch();
  const clients = await kit.startClients();
  const over = new AbortController();
  const seen = new Map<string, FiringAlert>();
  const watching = watchAlerts(kit, seen, over.signal);
  const [suffered] = await Promise.allSettled([suffer(kit, drill, { clients, seen, over: over.signal })]);
  const ended = await Promise.allSettled(clients.map(({ traffic }) => traffic.stop()));
  over.abort();
  await watching;
  // An error of a client explains those of the drill.
  for (const end of [...ended, suffered]) if (end.status === 'rejected') throw end.reason;

  for (const one of clients) await assertNothingLost(kit, one);
  const failures = new Map<string, number>();
  for (const { proxy, traffic } of clients)
    for (const { request, answer } of traffic.failures) {
      assert.ok(drill.mayFail.includes(answer), `${request} through ${proxy}: ${answer}`);
      failures.set(`${answer} (${proxy})`, (failures.get(`${answer} (${proxy})`) ?? 0) + 1);
    }
  const alsoFired = [...seen.keys()].filter((name) => name !== drill.alert?.[0]);
  for (const name of alsoFired) assert.ok(drill.mayFire?.includes(name), `${name} fires without a cause`);
  return {
    requests: clients.reduce((sum, { traffic }) => sum + traffic.requests, 0),
    failures,
    slowestMs: Math.max(...clients.map(({ traffic }) => traffic.takeSlowest())),
    alertMs: suffered.status === 'fulfilled' ? suffered.value : null,
    alsoFired,
  };
}

interface Course {
  readonly clients: readonly ProxyClients[];
  /** The alerts that have fired. */
  readonly seen: ReadonlyMap<string, FiringAlert>;
  readonly over: AbortSignal;
}

/** Breaks and repairs the kit, and returns when clients and alerts are as before. */
async function suffer(kit: Kit, drill: Drill, { clients, seen, over }: Course): Promise<number | null> {
  await waitForWrites(clients);
  for (const { traffic } of clients) traffic.takeSlowest();
  const repaired = new AbortController();
  const faultAt = Date.now();
  let alertMs: number | null = null;
  let reading: Promise<unknown> | null = null;
  try {
    await drill.breaks(kit);
    if (drill.isReadable) reading = keepReading(clients, AbortSignal.any([repaired.signal, over]));
    reading?.catch(() => {}); // reported where it is awaited
    if (drill.alert !== null) alertMs = await waitForAlert(kit, drill.alert, { seen, faultAt });
    await sleep(Math.max(0, faultAt + (drill.holdMs ?? 0) - Date.now()));
  } finally {
    await drill.repairs(kit);
  }
  repaired.abort();
  await reading;
  await waitForWrites(clients);
  if (drill.alert !== null) await waitForEnd(kit, drill.alert[0]);
  return alertMs;
}

/** Waits until writes are acknowledged through each proxy. */
async function waitForWrites(clients: readonly ProxyClients[]): Promise<void> {
  const before = clients.map(({ traffic }) => traffic.acknowledged.length);
  await waitFor(
    'writes through each proxy',
    () => clients.every(({ traffic }, at) => traffic.acknowledged.length > (before[at] ?? 0) + 20),
    120_000,
  );
}

/** Remembers each alert that fires. */
async function watchAlerts(kit: Kit, seen: Map<string, FiringAlert>, over: AbortSignal): Promise<void> {
  for (; !over.aborted; await sleep(250))
    for (const alert of await kit.prometheus.firing().catch(() => [])) seen.set(alert.name, alert);
}

async function waitForAlert(
  kit: Kit,
  [name, severity]: readonly [string, string],
  { seen, faultAt }: Pick<Course, 'seen'> & { readonly faultAt: number },
): Promise<number> {
  const alert = await waitFor(name, () => seen.get(name), alertLimitMs);
  assert.equal(alert.severity, severity);
  // The condition was true at `activeAt`. The rest is known: `for`, and what longer intervals add.
  const rule = (await readFile(join(projectDir, 'deploy/alerts.yml'), 'utf8')).split('- alert: ');
  const [, count = '0', unit] =
    / for: (\d+)([sm])/.exec(rule.find((text) => text.startsWith(`${name}\n`)) ?? '') ?? [];
  const forMs = Number(count) * (unit === 'm' ? 60_000 : 1_000);
  const alertMs = alert.activeAt - faultAt + forMs + 2 * kit.intervalMs * (kit.haste - 1) + groupWaitMs;
  assert.ok(alertMs <= alertLimitMs, `${name} arrives after ${Math.round(alertMs / 1_000)} s`);
  const told = await waitFor(`${name} at its receiver`, () => kit.delivered.get(name), alertLimitMs);
  assert.deepEqual([...told], [receivers.get(severity)]);
  return alertMs;
}

async function waitForEnd(kit: Kit, name: string): Promise<void> {
  const isFiring = async () => (await kit.prometheus.firing()).some((alert) => alert.name === name);
  await waitFor(`the end of ${name}`, async () => !(await isFiring()), 300_000);
}

/** Reads through each proxy until it is stopped. */
function keepReading(clients: readonly ProxyClients[], stopped: AbortSignal): Promise<unknown> {
  return Promise.all(
    clients.map(async ({ proxy, target, apiKey }) => {
      for (; !stopped.aborted; await sleep(100)) {
        const headers = { ...target.headers, authorization: `Bearer ${apiKey}` };
        const options = { headers, agent: target.agent };
        const { status, text } = await sendHttp(`${target.clientUrl}/v1/client/catalog/products`, options);
        assert.equal(status, 200, `a read through ${proxy}: ${text}`);
      }
    }),
  );
}

/** Sends all acknowledged writes again, and counts what is stored. */
async function assertNothingLost(kit: Kit, { proxy, apiKey, traffic }: ProxyClients): Promise<void> {
  await traffic.replayAll();
  const created = traffic.acknowledged.filter(({ path }) => path === '/catalog/products').length;
  const { total } = (await traffic.read('/catalog/products?per_page=1')).json.meta;
  assert.equal(total, created, `products through ${proxy}`);
  const client = kit.api.clientWith(apiKey);
  for (const feed of traffic.feeds)
    assert.equal((await reportOf(client, feed, feedLimitMs)).status, 'completed');
}
