import type { CreatedProduct } from '../products/create-products.ts';
import type { Parent } from '../variants/parent.ts';
import type { FeedLine, LineResult } from './feed.ts';

/** A change of a level, as expected in the ledger. */
export interface ModelMovement {
  readonly before: number;
  readonly after: number;
  readonly batchId: string;
}

export interface ModelLevel {
  readonly quantity: number;
  /** Milliseconds since the Unix epoch; Infinity for the time of receipt, which only the server knows. */
  readonly updatedAt: number;
}

/**
 * The expected effect of feeds, by the rules [catalog-101] [catalog-115]: absolute quantities for one
 * location, applied in the order in which they are sent. Works line by line, unlike the server.
 */
export class StockModel {
  readonly levels = new Map<string, ModelLevel>();
  /** Movements by SKU, oldest first. */
  readonly movements = new Map<string, ModelMovement[]>();
  readonly #skus: ReadonlySet<string>;

  /** `skus`: the SKUs that have stock. */
  constructor(skus: ReadonlySet<string>) {
    this.#skus = skus;
  }

  /** Applies a feed and returns the result of each of its lines. */
  apply(batchId: string, lines: readonly FeedLine[]): LineResult[] {
    const newest = new Map<string, number>();
    for (const [index, line] of lines.entries()) {
      const rival = newest.get(line.sku);
      if (rival === undefined || timeOf(line) >= timeOf(lines[rival] as FeedLine))
        newest.set(line.sku, index);
    }
    return lines.map((line, index) =>
      newest.get(line.sku) === index ? this.#applyLine(batchId, line) : 'superseded',
    );
  }

  #applyLine(batchId: string, line: FeedLine): LineResult {
    if (!this.#skus.has(line.sku)) return 'unknown_sku';
    const updatedAt = timeOf(line);
    const level = this.levels.get(line.sku);
    if (level !== undefined && updatedAt < level.updatedAt) return 'stale';
    this.levels.set(line.sku, { quantity: line.quantity, updatedAt });
    const before = level?.quantity ?? 0;
    if (before !== line.quantity) {
      const movements = this.movements.get(line.sku) ?? [];
      movements.push({ before, after: line.quantity, batchId });
      this.movements.set(line.sku, movements);
    }
    return level?.quantity === line.quantity ? 'unchanged' : 'applied';
  }
}

function timeOf({ updated_at }: FeedLine): number {
  return updated_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(updated_at);
}

/** An owner of stock: a product without variants, or a variant. */
export interface Stockable {
  readonly sku: string;
  readonly productTuId: string;
  /** null for the product itself. */
  readonly variantTuId: string | null;
}

export function stockableVariants(parents: readonly Parent[]): Stockable[] {
  return parents.flatMap(({ tuId: productTuId, variants }) =>
    variants.map(({ sku, tuId }) => ({ sku, productTuId, variantTuId: tuId })),
  );
}

export function stockableProducts(created: readonly CreatedProduct[]): Stockable[] {
  return created.map(({ body, answer }) => ({
    sku: body.sku,
    productTuId: answer.json.tu_id,
    variantTuId: null,
  }));
}
