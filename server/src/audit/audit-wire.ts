import { type Static, Type } from 'typebox';
import {
  DayOrInstant,
  ExactFilter,
  exampleIds,
  NamedObject,
  Nullable,
  Timestamp,
} from '../api/field-schemas.ts';
import { timeRangeFromWire } from '../api/time-range.ts';
import { type AuditEntry, auditActions } from './audit-entry.ts';
import type { AuditFilter } from './audit-store.ts';

export const auditFilterFields = {
  brand_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Only changes of this brand.',
      examples: [1],
    }),
  ),
  action: ExactFilter({
    description: `Only changes with this action: ${auditActions.map((action) => `\`${action}\``).join(', ')}.`,
    examples: ['api_key.rotate'],
  }),
  exclude: Type.Optional(
    Type.Unsafe<'session'>({
      type: 'string',
      enum: ['session'],
      description: '`session`: leaves out sign-ins, and sessions that were ended.',
      examples: ['session'],
    }),
  ),
  actor: ExactFilter({
    description: 'Only changes by this actor: its id, or its name in upper or lower case.',
    examples: ['admin-token'],
  }),
  resource_type: ExactFilter({
    description: 'Only changes of resources of this type.',
    examples: ['api_key'],
  }),
  resource_id: ExactFilter({
    description: 'Only changes of the resource with this id, such as a key or a job.',
    examples: [exampleIds.key],
  }),
  resource: ExactFilter({ description: 'The former name of `resource_id`.', examples: [exampleIds.key] }),
  from: Type.Optional(
    DayOrInstant({
      description: 'Only changes since this UTC day or instant, inclusive.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'Only changes until this UTC day or instant, inclusive.',
      examples: ['2026-03-31'],
    }),
  ),
};

const AuditFilterWire = Type.Object(auditFilterFields);

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
export function auditFilterFromWire(query: Static<typeof AuditFilterWire>): AuditFilter {
  const { brand_id, action, exclude, actor, resource_type: resourceType } = query;
  const resourceId = query.resource_id ?? query.resource;
  const range = timeRangeFromWire(query);
  return { brandId: brand_id, action, exclude, actor, resourceType, resourceId, ...range };
}

export const AuditEntryWire = NamedObject('AuditEntry', {
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
      '`admin-token`, the id of an administrator, or the command or job that made the change, such as `brandport brands create`. null in entries from before actors were recorded; `brandport` in older entries of the server itself.',
  }),
  actor_name: Nullable(Type.String(), { description: 'The name of the actor at that time, if it has one.' }),
  address: Nullable(Type.String(), { description: 'The client’s address; null if there was no client.' }),
  request_id: Nullable(Type.String(), { description: 'The `X-Request-Id` of the request.' }),
  brand_name: Nullable(Type.String(), { description: 'The current name of the brand.' }),
  resource_name: Nullable(Type.String(), {
    description:
      'The name of the brand, key or administrator. null: another resource, or its name is not known any more.',
  }),
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
  brand_name: 'Maison Aurore',
  resource_name: 'Maison Aurore',
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
    brand_name: entry.brandName,
    resource_name: entry.resourceName,
  };
}
