import { createHmac } from 'node:crypto';
import { yesterdayOf } from '../analytics/day.ts';
import { isBehind, type LagSources, readLags } from '../overview/concern-store.ts';
import { type AlertSettings, alertToWire } from './alert.ts';
import { addAlerts, claimAlert, type LateDatasets, markAlertSent } from './alert-store.ts';

/** A day that the night should have aggregated is late at 06:00 UTC, as in the alerts of `deploy/`. */
const lateMs = 6 * 3_600_000;
/** The next run begins a minute after this one. */
const runMs = 45_000;

/** Where alerts are sent, and the address of the console that they link. */
export interface AlertTarget extends AlertSettings {
  readonly consoleUrl: string | null;
}

/**
 * Adds the concerns that are new, and sends what is due, the oldest first. Safe to run concurrently; an alert that was sent
 * right before a crash is sent again, with the same id.
 * @throws Error for the first alert that the webhook does not accept, which names its host alone: path and query may be a secret.
 * The others wait for the next run
 */
export async function sendAlerts(
  context: LagSources,
  { url, secrets, consoleUrl }: AlertTarget,
  signal: AbortSignal,
): Promise<{ added: number; sent: number }> {
  const { database, clock } = context;
  const startedAt = performance.now();
  const added = await addAlerts(database, new Date(clock.now()), await findLateDatasets(context));
  let sent = 0;
  while (performance.now() - startedAt < runMs && !signal.aborted) {
    const now = clock.now();
    const alert = await claimAlert(database, new Date(now));
    if (alert === null) break;
    const body = JSON.stringify(alertToWire(alert, consoleUrl));
    try {
      await deliverAlert({ url, secrets, body, now }, signal);
    } catch (error) {
      signal.throwIfAborted();
      const last = alert.isLast ? ' and will not be sent again' : '';
      throw new Error(
        `alert ${alert.id} (${alert.kind}) was not delivered to ${new URL(url).host}${last}: ${(error as Error).message}`,
      );
    }
    await markAlertSent(database, alert.id, new Date(now));
    sent += 1;
  }
  return { added, sent };
}

/** null: none, or the analytics store is unavailable. */
async function findLateDatasets(context: LagSources): Promise<LateDatasets | null> {
  const day = yesterdayOf(context.clock.now() - lateMs);
  const lags = (await readLags(context, null, day)) ?? [];
  const brandIds = lags.filter((lag) => isBehind(lag, day)).map(({ brandId }) => brandId);
  return brandIds.length === 0 ? null : { day, brandIds };
}

const timeoutMs = 10_000;

interface Delivery {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly body: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Posts a signed body. Redirects are not followed, since the body would leave the address that the operator has chosen, and the
 * body of the response is not read.
 * @throws Error without the URL, which may have a secret, unless the response is 2xx within 10 s; the reason of `signal`
 */
async function deliverAlert({ url, secrets, body, now }: Delivery, signal: AbortSignal): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'brandport',
    'brandport-signature': sign(secrets, body, Math.floor(now / 1_000)),
  };
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number;
  try {
    const any = AbortSignal.any([signal, timeout]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: any });
    status = response.status;
    await response.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error(`no response within ${timeoutMs / 1_000} s`);
    const { cause } = error as { cause?: { code?: string; message?: string } };
    throw new Error(cause?.code ?? cause?.message ?? 'connection failed');
  }
  if (status < 200 || status > 299) throw new Error(`status ${status}`);
}

/** Signs the time together with the body, once for each secret. */
function sign(secrets: readonly string[], body: string, seconds: number): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}
