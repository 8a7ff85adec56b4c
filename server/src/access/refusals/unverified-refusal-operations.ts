import { type Static, Type } from 'typebox';
import { DayOrInstant, ExactFilter, NamedObject, Timestamp } from '../../api/field-schemas.ts';
import { type Operation, readOperation } from '../../api/operation.ts';
import { exampleListOf, listOf, pageQuery, pageReply } from '../../api/pagination.ts';
import { sortQuery } from '../../api/sort.ts';
import { timeRangeFromWire } from '../../api/time-range.ts';
import { listUnverifiedRefusals, unverifiedSortColumns } from './unverified-refusal-store.ts';
import { type UnverifiedReason, unverifiedReasons } from './unverified-refusals.ts';

const UnverifiedRefusalQuery = Type.Object({
  network: ExactFilter({ description: 'Only those of this network.', examples: ['203.0.113.7'] }),
  reason: Type.Optional(
    Type.Unsafe<UnverifiedReason>({
      type: 'string',
      enum: [...unverifiedReasons],
      description: 'Only those with this reason.',
      examples: ['wrong_secret'],
    }),
  ),
  from: Type.Optional(
    DayOrInstant({
      description: 'Only minutes that begin at this UTC day or instant, or later.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'Only minutes that begin until this UTC day or instant, inclusive.',
      examples: ['2026-03-31'],
    }),
  ),
  ...sortQuery(unverifiedSortColumns, '`-minute`, the latest first'),
  ...pageQuery,
});

const UnverifiedRefusalWire = NamedObject('UnverifiedRefusal', {
  minute: Timestamp({ description: 'The start of the minute.' }),
  network: Type.String({
    description: 'An IPv4 address, the /64 of an IPv6 address, or `others`: those beyond 50 in a minute.',
  }),
  reason: Type.Unsafe<UnverifiedReason>({
    type: 'string',
    enum: [...unverifiedReasons],
    description: `\`wrong_secret\`: the id of a key with another secret. \`unknown\`: no key has the id. \`malformed\`: the token does not have the
form of a key. \`feed_token\`: a token of the legacy feed. \`not_looked_up\`: a token on a path without an operation.`,
  }),
  count: Type.Integer({ minimum: 1 }),
});

const example: Static<typeof UnverifiedRefusalWire> = {
  minute: '2026-03-01T08:30:00.000Z',
  network: '203.0.113.7',
  reason: 'wrong_secret',
  count: 12,
};

/** Shows who tries what, without any key [internal-208]. */
export const unverifiedRefusalOperations: readonly Operation[] = [
  readOperation({
    id: 'listUnverifiedRefusals',
    method: 'GET',
    path: '/refusals/unverified',
    tag: 'API keys',
    summary: 'List the refused requests of no key',
    description: `Counts the requests of the client listener that were refused and had no verified key, by minute, network and reason, the latest
minute first. A minute appears within ten seconds of its end. At most 10,000 rows are kept, for \`BRANDPORT_KEEP_REFUSALS\`.`,
    access: 'administrators',
    query: UnverifiedRefusalQuery,
    responses: {
      200: {
        description: 'One page of counts.',
        schema: listOf(UnverifiedRefusalWire, 'UnverifiedRefusalPage'),
        example: exampleListOf(example),
      },
    },
    handle: async ({ database }, { query }) =>
      pageReply(
        query,
        (page) =>
          listUnverifiedRefusals(
            database,
            { network: query.network, reason: query.reason, ...timeRangeFromWire(query) },
            page,
            query.sort,
          ),
        ({ minute, ...row }) => ({ ...row, minute: minute.toISOString() }),
      ),
  }),
];
