/** A fault that a request of the client API meets. */
export type Fault =
  | { readonly kind: 'drop' | 'drop-after-commit' | 'truncate' | 'html-502' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: 429 | 500 | 503; readonly retryAfter: number | null };

const plainKinds = ['drop', 'drop-after-commit', 'truncate', 'html-502'] as const;
const statuses = [429, 500, 503] as const;
const longestDelayMs = 60_000;
const longestRetryAfter = 3_600;

/** Names all faults, for messages. */
export const faultForm =
  'must be drop, drop-after-commit, truncate, html-502, delay=<ms up to 60000>, or status=<429, 500 or 503>, also with "; retry-after=<s>"';

/** Reads a fault, such as `status=503; retry-after=2`; null: there is none like it. */
export function parseFault(text: string): Fault | null {
  const plain = plainKinds.find((kind) => kind === text.trim());
  if (plain !== undefined) return { kind: plain };
  const delay = /^\s*delay=(\d{1,5})\s*$/.exec(text);
  if (delay !== null)
    return Number(delay[1]) > longestDelayMs ? null : { kind: 'delay', ms: Number(delay[1]) };
  const [, code, seconds] = /^\s*status=(\d{3})\s*(?:;\s*retry-after=(\d{1,4})\s*)?$/.exec(text) ?? [];
  const status = statuses.find((one) => String(one) === code);
  if (status === undefined || Number(seconds ?? 0) > longestRetryAfter) return null;
  return { kind: 'status', status, retryAfter: seconds === undefined ? null : Number(seconds) };
}
