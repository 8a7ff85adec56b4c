import type { ReadSetting } from '../lib/read-setting.ts';

/** The retention policies, in the order in which they are applied: how long each kind of data is kept. */
export const policySettings = [
  { policy: 'feed-lines', variable: 'BRANDPORT_KEEP_FEED_LINES', defaultDays: 400 },
  { policy: 'audit', variable: 'BRANDPORT_KEEP_AUDIT', defaultDays: 400 },
  { policy: 'key-usage', variable: 'BRANDPORT_KEEP_KEY_USAGE', defaultDays: 100 },
  { policy: 'refusals', variable: 'BRANDPORT_KEEP_REFUSALS', defaultDays: 7 },
  // Tokens of `changed_after` are valid for 7 days [catalog-121].
  { policy: 'stock-changes', variable: null, defaultDays: 8 },
  { policy: 'events', variable: 'BRANDPORT_KEEP_EVENTS', defaultDays: null },
] as const satisfies readonly PolicySetting[];

export interface PolicySetting {
  readonly policy: string;
  /** null: cannot be set. */
  readonly variable: string | null;
  /** null: kept forever. */
  readonly defaultDays: number | null;
}

export type PolicyName = (typeof policySettings)[number]['policy'];

/** For each policy the days for which data is kept; null = forever. */
export type Keep = Readonly<Record<PolicyName, number | null>>;

export const defaultKeep = Object.fromEntries(
  policySettings.map(({ policy, defaultDays }) => [policy, defaultDays]),
) as Keep;

export function readKeep(read: ReadSetting): Keep {
  const form = 'a number of days from 1d to 99999d, or forever';
  const days = policySettings.map(({ policy, variable, defaultDays }) => [
    policy,
    variable === null ? defaultDays : read<number | null>(variable, defaultDays, form, parseKeep),
  ]);
  return Object.fromEntries(days) as Keep;
}

/** Returns the days of `<n>d`, n from 1; null for `forever`; undefined for anything else. */
function parseKeep(text: string): number | null | undefined {
  if (text === 'forever') return null;
  const days = /^([1-9]\d{0,4})d$/.exec(text)?.[1];
  return days === undefined ? undefined : Number(days);
}

export function formatKeep(days: number | null): string {
  return days === null ? 'forever' : `${days}d`;
}
