import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import type { AuditEntry } from './audit-entry.ts';

export const AuditEntryWire = Type.Object({
  id: Type.Integer(),
  at: Timestamp({ description: 'When the change was made.' }),
  action: Type.String({ description: 'The action, such as `api_key.rotate`.' }),
  brand_id: Nullable(Type.Integer(), { description: 'null for a change that belongs to no brand.' }),
  resource_type: Type.String({ description: '`brand`, `api_key` or `feed_token`; more may come.' }),
  resource_id: Type.String({ description: 'The id of the resource, which may be deleted by now.' }),
  details: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    description: 'Details of the change. Never contains a secret.',
  }),
  actor: Nullable(Type.String(), {
    description:
      '`admin-token`, or `brandport` for the server itself. null in entries from before actors were recorded.',
  }),
  actor_name: Nullable(Type.String(), { description: 'The name of the actor at that time, if it has one.' }),
  address: Nullable(Type.String(), { description: 'The client’s address; null if there was no client.' }),
  request_id: Nullable(Type.String(), { description: 'The `X-Request-Id` of the request.' }),
});

export const auditEntryExample: Static<typeof AuditEntryWire> = {
  id: 42,
  at: '2026-03-01T08:30:00.000Z',
  action: 'brand.update',
  brand_id: 1,
  resource_type: 'brand',
  resource_id: '1',
  details: { changes: { 'settings.low_stock_threshold': { from: 5, to: 10 } } },
  actor: 'admin-token',
  actor_name: null,
  address: '203.0.113.7',
  request_id: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
};

export function auditEntryToWire(entry: AuditEntry): Static<typeof AuditEntryWire> {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    brand_id: entry.brandId,
    resource_type: entry.resourceType,
    resource_id: entry.resourceId,
    details: entry.details,
    actor: entry.actor,
    actor_name: entry.actorName,
    address: entry.address,
    request_id: entry.requestId,
  };
}
