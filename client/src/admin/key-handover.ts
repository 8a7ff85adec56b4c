/** The fields of a key that a handover depends on. */
interface UsedKey {
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/**
 * The next step of a handover: issue the new key, install it in the integration, wait until the old one is unused, revoke
 * the old one, or nothing.
 */
export type HandoverStep = 'issue' | 'install' | 'wait' | 'revoke' | 'done';

export interface Handover {
  readonly next: HandoverStep;
  /** The time from which the old key counts as unused, in milliseconds; null if it was never used. */
  readonly unusedFrom: number | null;
}

/** Hours without a request after which a replaced key may be revoked. */
export const handoverSilenceHours = 24;

/**
 * Decides the next step of replacing a key by a second one. The old key is revoked only after the new one was used.
 * @param now milliseconds, by the clock of the service if that is known
 */
export function decideHandover(
  old: UsedKey,
  successor: UsedKey | null,
  now: number,
  silenceHours: number = handoverSilenceHours,
): Handover {
  const unusedFrom =
    old.last_used_at === null ? null : Date.parse(old.last_used_at) + silenceHours * 3_600_000;
  const next = (): HandoverStep => {
    if (old.revoked_at !== null) return 'done';
    if (successor === null) return 'issue';
    if (successor.last_used_at === null) return 'install';
    return unusedFrom !== null && now < unusedFrom ? 'wait' : 'revoke';
  };
  return { next: next(), unusedFrom };
}
