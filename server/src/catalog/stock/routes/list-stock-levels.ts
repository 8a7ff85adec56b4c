import { type Static, Type } from 'typebox';
import { ExactFilter, Instant } from '../../../api/field-schemas.ts';
import { readOperation, type ServiceContext } from '../../../api/operation.ts';
import { type Page, pageMeta, pageOf, pageQuery } from '../../../api/pagination.ts';
import { unchanged } from '../../../api/reply.ts';
import { invalidField } from '../../../errors/api-error.ts';
import { parseSourceTime } from '../../../lib/source-time.ts';
import { findProductListVersion } from '../../brand-catalog-store.ts';
import { changeTokenOf, placeOfToken, startToken } from '../change-token.ts';
import { listChangedLevels } from '../queries/changed-levels.ts';
import { listLevelsUnless } from '../queries/level-list.ts';
import type { LevelFilter } from '../queries/level-rows.ts';
import {
  changedAfterDescription,
  exampleToken,
  StockLevelListWire,
  stockLevelListExample,
  stockLevelToWire,
} from '../stock-level-wire.ts';

const ListLevelsQuery = Type.Object({
  sku: ExactFilter({
    description: 'Exact SKU of a product or variant; case-sensitive.',
    examples: ['TEE-001-red-m'],
  }),
  location: ExactFilter({
    description: 'The `external_code` of a location; an unknown one matches nothing.',
    examples: ['WH-BERLIN'],
  }),
  updated_since: Type.Optional(
    Instant({
      description: '`source_updated_at` at or after this time.',
      examples: ['2026-03-01T08:30:00Z'],
    }),
  ),
  changed_after: Type.Optional(
    Type.String({ description: changedAfterDescription, examples: [startToken, exampleToken] }),
  ),
  ...pageQuery,
});

type Query = Static<typeof ListLevelsQuery>;
type Body = Static<typeof StockLevelListWire>;

/** Lists levels of products and variants alike [catalog-79] [catalog-80], or what changed of them [catalog-120]. */
export const listStockLevelsOperation = readOperation({
  id: 'listStockLevels',
  method: 'GET',
  path: '/stock/levels',
  tag: 'Stock',
  summary: 'List stock levels',
  description: `One row per product or variant and location, ordered by SKU, then location. Levels of deleted variants are not listed.
\`updated_since\` filters by \`source_updated_at\`: levels written by a feed have the feed's timestamps.

To follow changes, poll with \`changed_after\`: send the \`changed_token\` of the answer before, first \`start\`. Nothing is missed.
Ask again at once while \`has_more\` is true. Identify a level by \`product_tu_id\`, \`variant_tu_id\` and \`location\`: its SKU can change.`,
  access: ['catalog.stock:read'],
  query: ListLevelsQuery,
  responses: {
    200: { description: 'One page of levels.', schema: StockLevelListWire, example: stockLevelListExample },
  },
  handle: async (context, { caller: { brandId }, query, known }) => {
    const { database, changeSeal } = context;
    if (query.changed_after !== undefined) {
      const { body, version } = await changesAfter(context, brandId, query, query.changed_after);
      return { status: 200, body, version: { state: stateOf(context, version), isKept: false } };
    }
    const page = pageOf(query);
    const list = await listLevelsUnless(database, brandId, {
      filter: filterOf(query),
      page,
      known: knownVersion(context, known),
    });
    if (list === null) return unchanged;
    const token = changeTokenOf(changeSeal, brandId, list.place);
    return {
      status: 200,
      body: {
        data: list.levels.map(stockLevelToWire),
        meta: { ...pageMeta(page, list.total), changed_token: token },
      },
      version: { state: stateOf(context, list.version) },
    };
  },
  currentVersion: async (context, { caller }) => {
    const version = await findProductListVersion(context.database, caller.brandId);
    return version === null ? null : stateOf(context, version);
  },
});

async function changesAfter(
  { database, changeSeal }: ServiceContext,
  brandId: number,
  query: Query,
  token: string,
): Promise<{ readonly body: Body; readonly version: string }> {
  if (query.page !== undefined)
    throw invalidField(
      'page',
      'must not be sent with changed_after, whose token says where the page begins.',
    );
  const place = token === startToken ? null : placeOfToken(changeSeal, brandId, token);
  if (place === null && token !== startToken) throw invalidToken();
  const { size } = pageOf(query);
  const changes = await listChangedLevels(database, brandId, { filter: filterOf(query), size, place });
  if (changes === null) throw invalidToken();
  const { levels, next, hasMore, version } = changes;
  const data = levels.map((level) => ({ ...stockLevelToWire(level), is_deleted: level.isDeleted }));
  const page: Page = { number: 1, size, offset: 0 };
  const meta = { ...pageMeta(page, data.length), changed_token: changeTokenOf(changeSeal, brandId, next) };
  return { body: { data, meta: { ...meta, has_more: hasMore } }, version };
}

function invalidToken() {
  return invalidField(
    'changed_after',
    'is not a valid token: it is too old, damaged, of another brand, or from before a restore of the database. Read all levels again, with start.',
  );
}

function stateOf({ changeSeal }: ServiceContext, version: string): string {
  return `${changeSeal.id} ${version}`;
}

/** Returns the version of a list whose tokens have the current secret; else null. */
function knownVersion({ changeSeal }: ServiceContext, state: string | null): string | null {
  const own = `${changeSeal.id} `;
  return state?.startsWith(own) === true ? state.slice(own.length) : null;
}

function filterOf({ sku, location, updated_since: since }: Query): LevelFilter {
  const updatedSince = since === undefined ? undefined : (parseSourceTime(since) ?? undefined);
  return { sku, location, updatedSince };
}
