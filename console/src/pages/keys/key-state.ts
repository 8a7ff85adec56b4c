import type { ResponseOf } from '../../api/call.ts';
import type { Tone } from '../../parts/state-mark.tsx';

export type Key = ResponseOf<'listApiKeys'>['data'][number];
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const weekMs = 7 * 86_400_000;
const soonMs = 30 * 86_400_000;

/** Returns the state of a key. `expiring`: within 30 days. */
export function stateOf({ revoked_at, expires_at }: Pick<Key, 'revoked_at' | 'expires_at'>): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  const left = Date.parse(expires_at) - Date.now();
  if (left <= 0) return 'expired';
  return left < soonMs ? 'expiring' : 'active';
}

/** Returns true if a new key may replace this one at once. */
export function isRotatable(key: Parameters<typeof stateOf>[0]): boolean {
  return ['active', 'expiring'].includes(stateOf(key));
}

export const nameOfState: Readonly<Record<KeyState, string>> = {
  active: 'active',
  expiring: 'expires soon',
  expired: 'expired',
  revoked: 'revoked',
};

export const toneOfState: Readonly<Record<KeyState, Tone>> = {
  active: 'good',
  expiring: 'warn',
  expired: 'bad',
  revoked: 'off',
};

/** Returns true if an integration may still depend on the key. */
export function isRecentlyUsed({ last_used_at }: Pick<Key, 'last_used_at'>): boolean {
  return last_used_at !== null && Date.now() - Date.parse(last_used_at) < weekMs;
}
