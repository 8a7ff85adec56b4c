import type { TSchema } from 'typebox';
import { maxIgnored, maxRefused, type UnknownName, unknownNameFinder } from '../../api/unknown-names.ts';

/** The names of the first lines are looked at (decision Second round 2). */
const namedLines = 1_000;

const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

/** What `FeedSubmission` names, without the schema library: the thread that reads feeds starts faster. A test compares them. */
export const feedNames = {
  type: 'object',
  properties: {
    ...fields('source', 'mode'),
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: fields('sku', 'location_code', 'quantity', 'reserved', 'updated_at'),
      },
    },
  },
};

const find = unknownNameFinder(feedNames as unknown as TSchema);

/** The unknown names in a parsed body, those of its first 1,000 lines included. */
export function unknownFeedNames(
  body: Readonly<Record<string, unknown>>,
  isStrict: boolean,
): readonly UnknownName[] {
  const { lines } = body;
  const looked = Array.isArray(lines) ? { ...body, lines: lines.slice(0, namedLines) } : body;
  return find(looked, isStrict ? maxRefused : maxIgnored);
}
