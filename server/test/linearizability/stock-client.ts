import assert from 'node:assert/strict';
import { randomHex } from '../../src/lib/ids.ts';
import { ExchangeClient } from './exchange.ts';
import { type LevelOnWire, levelFromWire, type Place } from './level-history.ts';
import { chance, randomInt, randomItem } from './random.ts';

/** An adjustment with status 200. */
export interface AcknowledgedAdjustment {
  readonly place: Place;
  readonly note: string;
  readonly quantity: number;
  /** `null`: the level already had the quantity. */
  readonly movementId: number | null;
  readonly invokedAt: number;
  readonly returnedAt: number;
}

/** Runs random requests on the levels of a ground, one after the other, and records the claims of each response. */
export class StockClient extends ExchangeClient {
  /** The last state of each level that this client saw, for its guards. */
  readonly #lastSeen = new Map<string, number>();
  /** The body and tag of the last product detail of the lone place. */
  #tagged: { readonly etag: string; readonly quantity: number } | null = null;
  readonly acknowledged: AcknowledgedAdjustment[] = [];
  replays = 0;
  lostAttempts = 0;

  async runOne(): Promise<void> {
    const place = randomItem(this.ground.places);
    const kind = randomInt(10);
    if (kind < 5) await this.#adjust(place);
    else if (kind < 7) await this.#readProductStock(place);
    else if (kind < 8) await this.#listLevels();
    else if (kind < 9) await this.#readNewestMovement(place);
    else await this.#readDetail();
  }

  async #adjust(place: Place): Promise<void> {
    const note = `note-${randomHex(12)}`;
    const expected = chance(0.6) ? (this.#lastSeen.get(place.key) ?? 0) : null;
    // Small quantities recur, so that a guard can match although the level changed twice; large ones are unique.
    const quantity = chance(0.2) ? randomInt(3) : randomInt(1_000_000_000);
    const request = {
      method: 'POST',
      path: `/catalog/products/${place.productTuId}/stock/adjust`,
      headers: { 'idempotency-key': note },
      body: {
        ...(place.variantTuId !== null && { variant: place.variantTuId }),
        location: place.location,
        quantity,
        ...(expected !== null && { expected_quantity: expected }),
        note,
      },
    };
    const exchange = await this.sendUntilKnown(request);
    const { response, sentAt } = exchange;
    this.lostAttempts += exchange.lostAttempts;
    const { json, status } = response;
    if (status === 200) {
      const { level, movement } = json;
      assert.equal(level.quantity, quantity);
      const { reserved, sourceUpdatedAt: writtenAt } = levelFromWire(level);
      const before = movement === undefined ? null : movement.quantity_before;
      this.histories.add(
        place.key,
        { kind: 'set', quantity, expected, before, reserved, writtenAt },
        exchange,
      );
      this.#lastSeen.set(place.key, quantity);
      this.acknowledged.push({ ...exchange, place, note, quantity, movementId: movement?.id ?? null });
      if (chance(0.1)) await this.#sendAgain(request, response.text);
      return;
    }
    assert.equal(status, 409, response.text);
    if (json.code === 'stock_version_conflict') {
      assert.ok(expected !== null);
      this.histories.add(place.key, { kind: 'conflict', expected, current: json.current_quantity }, exchange);
      this.#lastSeen.set(place.key, json.current_quantity);
    } else {
      assert.equal(json.code, 'rejected_stale');
      this.histories.add(place.key, { kind: 'rejected_stale', expected, sentAt }, exchange);
    }
  }

  /** A retry of an acknowledged request returns the same bytes on any server and changes nothing. */
  async #sendAgain(request: Parameters<ExchangeClient['sendUntilKnown']>[0], bytes: string): Promise<void> {
    const { response } = await this.sendUntilKnown(request);
    assert.equal(response.headers['idempotency-replayed'], 'true');
    assert.equal(response.text, bytes);
    this.replays += 1;
  }

  async #readProductStock(place: Place): Promise<void> {
    const exchange = await this.tryOnce({ path: `/catalog/products/${place.productTuId}/stock` });
    if (exchange === null) return;
    const { status, text, json } = exchange.response;
    assert.equal(status, 200, text);
    const levels: LevelOnWire[] = [json, ...json.variants].flatMap((part) => part.levels);
    const ofProduct = this.ground.places.filter(({ productTuId }) => productTuId === place.productTuId);
    this.histories.addReads(ofProduct, levels, exchange);
    // One response is one moment: the total belongs to the levels in it.
    const available = levels.reduce((sum, level) => sum + level.available, 0);
    assert.equal(json.availability.quantity, available, text);
    for (const { sku, location, quantity } of levels) this.#lastSeen.set(`${sku}@${location}`, quantity);
  }

  async #listLevels(): Promise<void> {
    const exchange = await this.tryOnce({ path: '/catalog/stock/levels?per_page=200' });
    if (exchange === null) return;
    const { status, text, json } = exchange.response;
    assert.equal(status, 200, text);
    this.histories.addReads(this.ground.places, json.data, exchange);
  }

  async #readNewestMovement({ key, productTuId, variantTuId, location }: Place): Promise<void> {
    const query = new URLSearchParams({
      location,
      ...(variantTuId !== null && { variant: variantTuId }),
      per_page: '3',
    });
    const exchange = await this.tryOnce({
      path: `/catalog/products/${productTuId}/stock/movements?${query}`,
    });
    if (exchange === null) return;
    const { status, text, json } = exchange.response;
    assert.equal(status, 200, text);
    this.histories.add(key, { kind: 'read_quantity', quantity: json.data[0]?.quantity_after ?? 0 }, exchange);
  }

  /** Reads the product detail of the lone place by its tag: 304 means that the level is unchanged. */
  async #readDetail(): Promise<void> {
    const { productTuId, key } = this.ground.alone;
    const headers = this.#tagged === null ? {} : { 'if-none-match': this.#tagged.etag };
    const exchange = await this.tryOnce({ path: `/catalog/products/${productTuId}`, headers });
    if (exchange === null) return;
    const { status, text, json, headers: answered } = exchange.response;
    if (status === 200)
      this.#tagged = { etag: answered['etag'] ?? '', quantity: json.stock_summary.total_quantity };
    else assert.equal(status, 304, text);
    this.histories.add(key, { kind: 'read_quantity', quantity: this.#tagged?.quantity ?? -1 }, exchange);
  }
}
