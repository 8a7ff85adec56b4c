/** Every change that the internal surface can make. A feature that adds one adds its name here. */
export const auditActions = [
  'administrator.create',
  'administrator.delete',
  'session.create',
  'session.delete',
  'brand.create',
  'brand.update',
  'brand.limit',
  'brand.close',
  'brand.open',
  'brand.export',
  'brand.import',
  'brand.remove',
  'api_key.create',
  'api_key.update',
  'api_key.limit',
  'api_key.rotate',
  'api_key.revoke',
  'api_key.delete',
  'feed_token.create',
  'feed_token.delete',
  'market.upsert',
  'market.delete',
  'point_of_sale.upsert',
  'point_of_sale.delete',
  'learner.upsert',
  'learner.opt_out',
  'learner.delete',
  'content.upsert',
  'content.delete',
  'stock_feed.requeue',
  'stock_feed.correct',
  'analytics.aggregate',
  'concern.mute',
  'concern.unmute',
  'job.retry',
  'doctor.run',
] as const;

export type AuditAction = (typeof auditActions)[number];

export interface AuditRecord {
  readonly action: AuditAction;
  /** null for a change that belongs to no brand. */
  readonly brandId: number | null;
  readonly resourceType: string;
  /** The id under which the internal surface knows the resource. */
  readonly resourceId: string;
  /** The changed values, under their API names. Never a secret or its hash. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends Omit<AuditRecord, 'action'> {
  readonly id: number;
  readonly at: Date;
  readonly action: string;
  /** The initiator of the change; null in entries from before this was recorded. */
  readonly actor: string | null;
  /** The initiator's name at that time; null if it has none. */
  readonly actorName: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** The current name of the brand; null if there is none. */
  readonly brandName: string | null;
  /** The name of the key, the administrator or the brand; null of others, and if it is not known any more. */
  readonly resourceName: string | null;
}

/** The fields in which two states of a resource differ, as entries show them, under their API names. */
export type Differences = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Compares two states by some of their fields; `fields` reads each as it is shown. */
export function differencesOf<State>(
  before: State,
  after: State,
  fields: Readonly<Record<string, (state: State) => unknown>>,
): Differences {
  const all = Object.entries(fields).map(
    ([name, read]) => [name, { from: read(before), to: read(after) }] as const,
  );
  return Object.fromEntries(all.filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)));
}
