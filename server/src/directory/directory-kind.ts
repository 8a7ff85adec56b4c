import { type TSchema, Type } from 'typebox';
import { queueDirectoryChanges } from '../analytics/directory-changes/settle-changes.ts';
import { type Operation, readOperation, writeOperation } from '../api/operation.ts';
import { exampleListOf, pageQuery, pageReply } from '../api/pagination.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { getBrand } from '../brands/brand-operations.ts';
import { BrandParams, brandIdFromPath } from '../brands/brand-wire.ts';
import { notFound } from '../errors/api-error.ts';
import { Conditions } from '../postgres/conditions.ts';
import { type PagedRows, readPage } from '../postgres/read-page.ts';
import type { AuditedTransaction, Transaction } from '../postgres/transaction.ts';
import type { JobSender } from '../queue/job-sender.ts';
import { directoryBodyLimit, requireDistinct, UpsertedWire } from './directory-wire.ts';

/** A kind of item in a brand's directory, from which its three operations follow. Learners have their own. */
export interface DirectoryKind<Item, Row> {
  readonly resource: 'market' | 'point_of_sale' | 'content';
  readonly one: string;
  readonly many: string;
  readonly path: string;
  readonly put: Described & {
    readonly body: TSchema;
    readonly bodyExample: { readonly items: readonly Item[] };
  };
  readonly list: {
    readonly id: string;
    readonly rows: Omit<PagedRows, 'where'>;
    /** The condition on the brand, `$1`. */
    readonly where: string;
    readonly toWire: (row: Row) => object;
    /** The schema of a page. */
    readonly page: TSchema;
    readonly example: unknown;
  };
  /** The parameters of the path are the brand's `id` and those of `key`, in this order. */
  readonly remove: Described & { readonly params: TSchema; readonly key: readonly string[] };
  keyOf(item: Item): string;
  /** Writes any number of items in a constant number of statements. @throws ApiError `validation_failed` */
  upsert(tx: Transaction, brandId: number, items: readonly Item[]): Promise<void>;
  /** Returns whether there was an item with this key. */
  delete(tx: Transaction, brandId: number, key: readonly string[]): Promise<boolean>;
  /** After which changes a job moves the revisions of the days that show such items [analytics-47]. */
  readonly movesDaysAfter: readonly ('put' | 'delete')[];
}

interface Described {
  readonly id: string;
  readonly description: string;
}

/**
 * Creates or updates items, in the caller's transaction.
 * @throws ApiError `not_found` if there is no such brand; `validation_failed`
 */
export async function putItems<Item>(
  kind: Pick<DirectoryKind<Item, never>, 'resource' | 'upsert' | 'movesDaysAfter'>,
  tx: AuditedTransaction,
  brandId: number,
  { items, jobs }: { readonly items: readonly Item[]; readonly jobs: JobSender },
): Promise<void> {
  await getBrand(tx, brandId);
  await kind.upsert(tx, brandId, items);
  if (kind.movesDaysAfter.includes('put')) await queueDirectoryChanges(tx, brandId, jobs);
  await recordUpsert(tx, brandId, kind.resource, items.length);
}

/** The operations of a kind, in the order of the reference: put, list, delete. */
export function defineOperations<Item, Row extends object>(
  kind: DirectoryKind<Item, Row>,
): readonly Operation[] {
  const { one, many, resource, put, list, remove } = kind;
  const path = `/brands/:id/${kind.path}`;
  const shared = { tag: 'Directory', access: 'one-brand' } as const;
  return [
    writeOperation({
      ...shared,
      id: put.id,
      method: 'PUT',
      path,
      summary: `Create or update ${many}`,
      description: put.description,
      params: BrandParams,
      body: put.body,
      bodyExample: put.bodyExample,
      bodyLimit: directoryBodyLimit,
      responses: { 200: { description: 'Done.', schema: UpsertedWire, example: { upserted: 2 } } },
      handle: async (tx, { params, body }, { jobs }) => {
        const { items } = body as { items: readonly Item[] };
        requireDistinct(items, kind.keyOf);
        await putItems(kind, tx, brandIdFromPath(params.id), { items, jobs });
        return { status: 200, body: { upserted: items.length } };
      },
    }),
    readOperation({
      ...shared,
      id: list.id,
      method: 'GET',
      path,
      summary: `List ${many}`,
      description: 'Ordered by id.',
      params: BrandParams,
      query: Type.Object(pageQuery),
      responses: {
        200: {
          description: 'One page of results.',
          schema: list.page,
          example: exampleListOf(list.example),
        },
      },
      handle: async ({ database }, { params, query }) => {
        const brand = await getBrand(database, brandIdFromPath(params.id));
        const where = new Conditions([list.where], [brand.id]);
        return pageReply(
          query,
          (page) => readPage<Row>(database, { ...list.rows, where }, page),
          list.toWire,
        );
      },
    }),
    writeOperation({
      ...shared,
      id: remove.id,
      method: 'DELETE',
      path: `${path}/${remove.key.map((name) => `:${name}`).join('/')}`,
      summary: `Delete a ${one}`,
      description: remove.description,
      params: remove.params,
      responses: { 204: { description: `The ${one} was deleted.` } },
      handle: async (tx, request, { jobs }) => {
        const params = request.params as Record<string, string>;
        const brandId = brandIdFromPath(params['id'] as string);
        const key = remove.key.map((name) => params[name] as string);
        if (!(await kind.delete(tx, brandId, key))) throw notFound();
        if (kind.movesDaysAfter.includes('delete')) await queueDirectoryChanges(tx, brandId, jobs);
        await recordDeletion(tx, brandId, resource, key.join('/'));
        return { status: 204 };
      },
    }),
  ];
}

type ResourceType = DirectoryKind<never, never>['resource'] | 'learner';

export function recordUpsert(
  tx: AuditedTransaction,
  brandId: number,
  resourceType: ResourceType,
  items: number,
): Promise<void> {
  const action = `${resourceType}.upsert` as const;
  return recordAudit(tx, { action, brandId, resourceType, resourceId: '*', details: { items } });
}

export function recordDeletion(
  tx: AuditedTransaction,
  brandId: number,
  resourceType: ResourceType,
  resourceId: string,
): Promise<void> {
  const action = `${resourceType}.delete` as const;
  return recordAudit(tx, { action, brandId, resourceType, resourceId, details: {} });
}
