import type { TSchema } from 'typebox';
import { maxIgnored, maxRefused, type UnknownName, unknownNameFinder } from '../../api/unknown-names.ts';

/** The number of lines, from the first, whose names are checked [platform-25]. */
const namedLines = 1_000;

const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, {}]));

/**
 * The names in `SubmitStockFeedBody`, without the schema library, which would slow the thread's start. A test compares them.
 */
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

/** Collects the names of a body whose lines are parsed one by one; keeps no more of them than can be reported. */
export class SeenFeedNames {
  readonly #otherNames: readonly string[];
  /** The unknown names of each line; null for a line without any. */
  readonly #lines: (object | null)[] = [];
  #linesWithUnknown = 0;

  /** `otherNames` are the unknown names of the outermost object. */
  constructor(otherNames: readonly string[]) {
    this.#otherNames = otherNames;
  }

  addLine(value: unknown): void {
    if (this.#lines.length === namedLines || this.#linesWithUnknown === maxRefused) return;
    const hasUnknown = find({ lines: [value] }, 1).length > 0;
    if (hasUnknown) this.#linesWithUnknown += 1;
    this.#lines.push(hasUnknown ? withoutValues(Object.keys(value as object)) : null);
  }

  /** Returns the unknown names, including those of the first 1,000 lines. */
  unknown(isStrict: boolean): readonly UnknownName[] {
    const body = { ...withoutValues(this.#otherNames), lines: this.#lines };
    return find(body, isStrict ? maxRefused : maxIgnored);
  }
}

function withoutValues(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
}
