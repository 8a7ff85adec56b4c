import type { BrandReach } from '../api/access.ts';
import type { Page } from '../api/pagination.ts';
import { orderOf, type Sort } from '../api/sort.ts';
import type { TimeRange } from '../api/time-range.ts';
import { Conditions, foldedSql } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { readPage } from '../postgres/read-page.ts';
import { deleteRows } from '../postgres/row-set.ts';
import { statement } from '../postgres/statement.ts';
import type { AuditedTransaction, Transaction } from '../postgres/transaction.ts';
import type { AuditEntry, AuditRecord } from './audit-entry.ts';

/** Names are current ones; of what was deleted, the name in the entry. */
const auditColumns = `e.id, e.at, e.action, e.brand_id as "brandId", e.resource_type as "resourceType",
  e.resource_id as "resourceId", e.details, e.actor, e.actor_name as "actorName", e.address, e.request_id as "requestId",
  (select b.name from brands b where b.id = e.brand_id) as "brandName",
  coalesce(
    case e.resource_type
      when 'brand' then (select b.name from brands b where b.id = e.brand_id)
      when 'api_key' then (select k.name from api_keys k where k.key_id = e.resource_id)
      when 'administrator' then (select a.name from administrators a where a.token_id = e.resource_id)
    end,
    case when e.resource_type in ('api_key', 'administrator') then e.details ->> 'name' end
  ) as "resourceName"`;

/** Records a change in its own transaction, which says who made it: neither exists without the other [internal-54] [D216]. */
export async function recordAudit(tx: AuditedTransaction, record: AuditRecord): Promise<void> {
  const { action, brandId, resourceType, resourceId, details } = record;
  const { actor, actorName = null, address, requestId, onChange } = tx.initiator;
  await tx.run(
    statement<never>(
      'record_audit',
      `insert into audit_entries (action, brand_id, resource_type, resource_id, details, actor, actor_name, address,
         request_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[action, brandId, resourceType, resourceId, details],
        ...[actor, actorName, address === '' ? null : address, requestId],
      ],
    ),
  );
  onChange?.({ action, brandId, resourceType, resourceId });
}

interface AuditRecords extends Omit<AuditRecord, 'resourceId' | 'details'> {
  readonly changes: readonly Pick<AuditRecord, 'resourceId' | 'details'>[];
}

/**
 * Records a change of each of several resources, in one statement [internal-207]. The log does not name them: it keeps what an
 * erasure has to remove.
 */
export async function recordAudits(
  tx: AuditedTransaction,
  { action, brandId, resourceType, changes }: AuditRecords,
): Promise<void> {
  if (changes.length === 0) return;
  const { actor, actorName = null, address, requestId } = tx.initiator;
  await tx.run(
    statement<never>(
      'record_audits',
      `insert into audit_entries (action, brand_id, resource_type, resource_id, details, actor, actor_name, address,
         request_id)
       select $1, $2, $3, c.resource_id, c.details, $6, $7, $8, $9
       from unnest($4::text[], $5::jsonb[]) as c (resource_id, details)`,
      [
        ...[action, brandId, resourceType],
        changes.map(({ resourceId }) => resourceId),
        changes.map(({ details }) => JSON.stringify(details)),
        ...[actor, actorName, address === '' ? null : address, requestId],
      ],
    ),
  );
}

/** Removes the entries of a resource, such as an erased learner. */
export async function forgetResource(
  tx: Transaction,
  brandId: number,
  resourceType: string,
  resourceId: string,
): Promise<void> {
  await tx.run(
    statement<never>(
      'forget_resource',
      'delete from audit_entries where brand_id = $1 and resource_type = $2 and resource_id = $3',
      [brandId, resourceType, resourceId],
    ),
  );
}

/** Drops up to `limit` entries from before the given time, the oldest first, and returns their number. */
export function dropAuditEntries(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = { name: 'drop_audit_entries', table: 'audit_entries', where: 'at < $1', orderBy: 'at' };
  return deleteRows(tx, { ...old, values: [before] }, limit);
}

export interface AuditFilter extends TimeRange {
  readonly brandId?: number | undefined;
  readonly action?: string | undefined;
  /** Leaves out the actions of this group: those that begin with it and a dot. */
  readonly exclude?: string | undefined;
  /** The id of an actor, or its name in upper or lower case. */
  readonly actor?: string | undefined;
  readonly resourceType?: string | undefined;
  readonly resourceId?: string | undefined;
  /** Only changes of these brands; null or absent: all changes. */
  readonly brandIds?: BrandReach;
}

/** Entries are numbered in the order of time. */
export const auditSortColumns = { at: ['id'] } as const;

/** Lists one page of the entries that match, newest first unless sorted, and counts all; the count reads what it counts. */
export function listAuditEntries(
  database: Queryable,
  filter: AuditFilter,
  page: Page,
  sort?: Sort<keyof typeof auditSortColumns>,
): Promise<{ rows: AuditEntry[]; total: number }> {
  const where = conditionsOf(filter);
  const { code, orderBy } = orderOf(auditSortColumns, sort, 'id desc');
  const list = { name: `audit_entries${where.code}${code}`, columns: auditColumns, from: 'audit_entries e' };
  return readPage(database, { ...list, where, orderBy }, page);
}

/** Entries of one statement: some 500 KB. */
const step = 1_000;

/**
 * Yields entries, newest first. Each part is a separate statement, so no connection waits for a slow consumer. Entries that are
 * added meanwhile are left out.
 */
export async function* readAuditEntries(
  database: Queryable,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[], void> {
  let before: number | undefined;
  for (;;) {
    const where = conditionsOf(filter);
    where.add('_before', (parameter) => `id < ${parameter}`, before);
    const condition = where.sql === '' ? '' : `where ${where.sql}`;
    const rows = await database.run(
      statement<AuditEntry>(
        `read_audit_entries${where.code}`,
        `select ${auditColumns} from audit_entries e ${condition} order by id desc limit ${step}`,
        where.values,
        { long: true },
      ),
    );
    if (rows.length > 0) yield rows;
    if (rows.length < step) return;
    before = rows.at(-1)?.id;
  }
}

function conditionsOf(filter: AuditFilter): Conditions {
  const where = new Conditions([], []);
  where.add('_by_brand', (parameter) => `brand_id = ${parameter}`, filter.brandId);
  where.add('_by_action', (parameter) => `action = ${parameter}`, filter.action);
  where.add('_without', (parameter) => `not starts_with(action, ${parameter} || '.')`, filter.exclude);
  const byActor = (name: string) =>
    `(actor = ${name} or ${foldedSql('actor_name')} = ${foldedSql(`${name}::text`)})`;
  where.add('_by_actor', byActor, filter.actor);
  where.add('_of_type', (parameter) => `resource_type = ${parameter}`, filter.resourceType);
  where.add('_by_resource', (parameter) => `resource_id = ${parameter}`, filter.resourceId);
  where.add('_from', (parameter) => `at >= ${parameter}::timestamptz`, filter.from);
  where.add('_to', (parameter) => `at <= ${parameter}::timestamptz`, filter.to);
  where.addBrands('brand_id', filter.brandIds ?? null);
  return where;
}
