import type { ReadSetting } from '../lib/read-setting.ts';
import { isLoopback } from '../lib/urls.ts';

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
    'a URL that starts with https://, or with http:// on this machine',
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
