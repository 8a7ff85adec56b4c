import { isLoopback } from '../lib/addresses.ts';
import type { ReadSetting } from '../lib/read-setting.ts';

type AlertKind =
  | 'feed_failed'
  | 'datasets_behind'
  | 'job_failed'
  | 'doctor_found'
  | 'key_expires'
  | 'administrator_created';

export interface Alert {
  /** The same for each attempt. */
  readonly id: string;
  readonly kind: AlertKind;
  /** When it happened, or was found. */
  readonly at: Date;
  /** null: of no single brand. The name is null if the brand has gone. */
  readonly brand: { readonly id: number; readonly name: string | null } | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** True for the last attempt. */
  readonly isLast: boolean;
}

/** The title of a kind, and the page of the console that shows more, below its address. */
const shown: Readonly<Record<AlertKind, (alert: Alert) => { title: string; page: string }>> = {
  feed_failed: ({ brand, details }) => ({
    title: `A stock feed of ${nameOf(brand)} failed`,
    page: `brands/${brand?.id}/feeds/${details['feed_id']}`,
  }),
  datasets_behind: ({ details }) => ({
    title: `Datasets are behind: ${details['day']} is not aggregated for ${counted(details['brands'], 'brand')}`,
    page: 'datasets',
  }),
  job_failed: ({ brand, details }) => ({
    title: `A job of the queue ${details['queue']} failed${brand === null ? '' : ` for ${nameOf(brand)}`}`,
    page: `jobs/${details['job_id']}`,
  }),
  doctor_found: ({ details }) => ({
    title: `The doctor found ${counted(details['differences'], 'difference')}`,
    page: 'doctor',
  }),
  key_expires: ({ brand, details }) => ({
    title: `The key "${details['name']}" of ${nameOf(brand)} expires on ${String(details['expires_at']).slice(0, 10)}`,
    page: `brands/${brand?.id}/keys/${details['key_id']}`,
  }),
  administrator_created: ({ details }) => ({
    title: `${details['actor'] ?? 'Somebody'} created the administrator "${details['name']}" (${details['role']})`,
    page: 'administrators',
  }),
};

function nameOf(brand: Alert['brand']): string {
  return brand?.name ?? `brand ${brand?.id}`;
}

function counted(count: unknown, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the body of an alert. `consoleUrl` is the address of the console, null: not known. */
export function alertToWire(alert: Alert, consoleUrl: string | null): object {
  const { id, kind, at, brand, details } = alert;
  const { title, page } = shown[kind](alert);
  const url = consoleUrl === null ? null : consoleUrl + page;
  return { id, kind, at: at.toISOString(), brand, title, details, url };
}

export interface AlertSettings {
  readonly url: string;
  /** The first one signs alone, or next to its successor. */
  readonly secrets: readonly string[];
}

/** Reads the webhook from the environment; null: none. Adds to `problems` if the secret is missing. */
export function readAlertSettings(
  read: ReadSetting,
  readSecrets: (name: string) => readonly string[],
  problems: string[],
): AlertSettings | null {
  const url = read<string | null>(
    'BRANDPORT_ALERT_WEBHOOK',
    null,
    'a URL without user and password that starts with https://, or with http:// on this machine',
    (text) => (isWebhook(text) ? text : undefined),
  );
  const before = problems.length;
  const secrets = readSecrets('BRANDPORT_ALERT_SECRET');
  if (url === null) return null;
  if (secrets.length === 0 && problems.length === before)
    problems.push('BRANDPORT_ALERT_SECRET must be set with BRANDPORT_ALERT_WEBHOOK: it signs the alerts.');
  return { url, secrets };
}

/** `fetch` refuses a user part. */
function isWebhook(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}
