import type { Static } from 'typebox';
import type { StockLevelWire } from '../../src/catalog/stock/stock-wire.ts';
import type { Exchange } from './exchange.ts';
import type { Level, LevelCall } from './level-model.ts';
import type { Operation } from './operation.ts';

/** The place of stock, as requests name it. */
export interface Place {
  /** `<sku>@<location>` */
  readonly key: string;
  readonly sku: string;
  readonly productTuId: string;
  readonly variantTuId: string | null;
  readonly location: string;
}

type Times = Pick<Exchange, 'invokedAt' | 'returnedAt'>;

export type LevelOnWire = Static<typeof StockLevelWire>;

/** One history of observations per level. */
export class LevelHistories {
  readonly #byPlace: ReadonlyMap<string, Operation<LevelCall>[]>;

  constructor(places: readonly Place[]) {
    this.#byPlace = new Map(places.map(({ key }) => [key, []]));
  }

  get(key: string): readonly Operation<LevelCall>[] {
    return this.#byPlace.get(key) ?? [];
  }

  entries(): Iterable<[string, readonly Operation<LevelCall>[]]> {
    return this.#byPlace.entries();
  }

  add(key: string, call: LevelCall, { invokedAt, returnedAt }: Times): void {
    this.#byPlace.get(key)?.push({ call, invokedAt, returnedAt });
  }

  /** Records one response that shows the levels of these places; a missing level does not exist. */
  addReads(places: readonly Place[], levels: readonly LevelOnWire[], times: Times): void {
    const shown = new Map(levels.map((level) => [`${level.sku}@${level.location}`, level]));
    for (const { key } of places) {
      const level = shown.get(key);
      this.add(key, { kind: 'read', level: level === undefined ? null : levelFromWire(level) }, times);
    }
  }
}

export function levelFromWire({ quantity, reserved, source_updated_at }: LevelOnWire): Level {
  return { quantity, reserved, sourceUpdatedAt: Date.parse(source_updated_at) };
}
