import { type ApiKeyDetail, decideHandover, type HandoverStep, type KeyUsage } from '@brandport/client/admin';
import type { CliContext } from '../../context/cli-context.ts';

interface UsedKey {
  readonly key: ApiKeyDetail;
  /** The requests since the silence would have begun. */
  readonly usage: readonly KeyUsage[];
}

/** One key of a handover, as it is printed. */
interface KeyUse {
  readonly key_id: string;
  readonly name: string;
  readonly brand_id: number;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_from: string | null;
  readonly recent_requests: number;
  /** The operations with the most recent requests, most first. */
  readonly recent_operations: readonly string[];
}

export interface Handover {
  readonly old: KeyUse;
  readonly new: KeyUse;
  readonly next: HandoverStep;
  readonly advice: string;
}

/**
 * Describes the next step of a handover to a key that exists.
 * @param now milliseconds
 */
export function handoverOf(old: UsedKey, successor: UsedKey, silenceHours: number, now: number): Handover {
  const uses = { old: useOf(old), new: useOf(successor) };
  const { key } = old;
  const { next, unusedFrom } = decideHandover(key, successor.key, now, silenceHours);
  if (next === 'install')
    return { ...uses, next, advice: `The new key ${successor.key.key_id} has not been used yet.` };
  if (next === 'wait') {
    const at = new Date(unusedFrom ?? now).toISOString();
    const advice =
      `The key ${key.key_id} was last used at ${key.last_used_at} from ${key.last_used_from ?? 'an unknown address'}. ` +
      `If it stays unused, it can be revoked from ${at} on.`;
    return { ...uses, next, advice };
  }
  const silence =
    key.last_used_at === null ? 'has never been used' : `has been unused since ${key.last_used_at}`;
  return { ...uses, next, advice: `The key ${key.key_id} ${silence}, and the new one is in use.` };
}

function useOf({ key, usage }: UsedKey): KeyUse {
  const requests = new Map<string, number>();
  for (const { operation, requests: count } of usage)
    requests.set(operation, (requests.get(operation) ?? 0) + count);
  const { key_id, name, brand_id, revoked_at, last_used_at, last_used_from } = key;
  const byCount = [...requests].sort(([, a], [, b]) => b - a);
  return {
    key_id,
    name,
    brand_id,
    revoked_at,
    last_used_at,
    last_used_from,
    recent_requests: byCount.reduce((sum, [, count]) => sum + count, 0),
    recent_operations: byCount.slice(0, 5).map(([operation]) => operation),
  };
}

/** Writes both keys and the next step. `--quiet` prints the step. */
export function writeHandover({ output, tell }: CliContext, handover: Handover): void {
  const lines = (label: string, use: KeyUse): [string, unknown][] => [
    [label, use.key_id],
    ['  last used', use.last_used_at ?? 'never'],
    ['  from', use.last_used_from],
    ['  recent requests', use.recent_requests],
    ['  operations', use.recent_operations],
  ];
  output.item(handover, {
    id: ({ next }) => next,
    fields: (state) => [...lines('old key', state.old), ...lines('new key', state.new), ['next', state.next]],
  });
  tell(handover.advice);
}
