import assert from 'node:assert/strict';
import type { ApiClient, ApiResponse } from '../support/api-client.ts';
import {
  type ModelLevels,
  type ModelProduct,
  type ModelVariant,
  modelCombinations,
  sameValues,
} from './model.ts';
import type { RandomLine, RandomOperation } from './operations.ts';

export const colours = ['red', 'green', 'blue'];
export const sizes = ['s', 'm', 'l'];
/** The last one is deactivated before the end. */
export const locations = ['berlin', 'paris', 'outlet'];

/** Waits until every feed of the brand is applied. */
export type ApplyFeeds = () => Promise<void>;

/**
 * One integrator: sends random writes to its own products, one after the other, and keeps a model of them. Several run
 * concurrently on one brand. Every response is compared with the model.
 */
export class ModelClient {
  readonly products: ModelProduct[] = [];
  readonly #name: string;
  readonly #client: ApiClient;
  readonly #applyFeeds: ApplyFeeds;
  #count = 0;

  constructor(name: string, client: ApiClient, applyFeeds: ApplyFeeds) {
    this.#name = name;
    this.#client = client;
    this.#applyFeeds = applyFeeds;
  }

  async run(operation: RandomOperation): Promise<void> {
    if (operation.kind === 'create' || this.products.length === 0) return this.#create(operation);
    if (operation.kind === 'feed') return this.#feed(operation.lines);
    const product = pick(this.products, operation.product);
    switch (operation.kind) {
      case 'patch':
        return this.#patch(product, operation);
      case 'rename':
        return this.#rename(product);
      case 'select':
        return this.#select(product, colours.slice(0, operation.colours), sizes.slice(0, operation.sizes));
      case 'generate':
        return this.#generate(product, operation);
      case 'variant':
        return this.#variant(product, operation);
      case 'patch-variant':
        return this.#patchVariant(product, operation);
      case 'delete-variant':
        return this.#deleteVariant(product, operation.variant);
      case 'adjust':
        return this.#adjust(product, operation);
    }
  }

  #sku(): string {
    this.#count += 1;
    return `${this.#name}-${this.#count}`;
  }

  async #create(operation: RandomOperation): Promise<void> {
    const { price, isActive } = operation.kind === 'create' ? operation : { price: 1, isActive: true };
    const sku = this.#sku();
    const answer = await this.#client.create('/catalog/products', {
      sku,
      price_value: price,
      is_active: isActive,
    });
    expectStatus(answer, 201);
    this.products.push({
      tuId: answer.json.tu_id,
      sku,
      price,
      isActive,
      selection: new Map(),
      variants: [],
      levels: new Map(),
    });
  }

  async #patch(
    product: ModelProduct,
    { price, isActive }: { price: number; isActive: boolean },
  ): Promise<void> {
    const path = `/catalog/products/${product.tuId}`;
    expectStatus(await this.#client.patch(path, { price_value: price, is_active: isActive }), 200);
    Object.assign(product, { price, isActive });
  }

  async #rename(product: ModelProduct): Promise<void> {
    const sku = this.#sku();
    expectStatus(await this.#client.patch(`/catalog/products/${product.tuId}`, { sku }), 200);
    product.sku = sku;
  }

  async #select(product: ModelProduct, chosenColours: string[], chosenSizes: string[]): Promise<void> {
    const selection = new Map<string, string[]>(
      [['colour', chosenColours] as const, ['size', chosenSizes] as const].filter(
        ([, values]) => values.length > 0,
      ),
    );
    const axes = [...selection].map(([code, values]) => ({ code, values }));
    const answer = await this.#client.put(`/catalog/products/${product.tuId}/axes`, { axes });
    const { variants } = product;
    const attachesNew =
      variants.length > 0 && [...selection.keys()].some((code) => !product.selection.has(code));
    const removesUsed = variants.some(({ values }) =>
      Object.entries(values).some(
        ([code, value]) => selection.has(code) && !selection.get(code)?.includes(value),
      ),
    );
    if (attachesNew || removesUsed) return expectStatus(answer, 422);
    const detachesUsed = variants.some(({ values }) =>
      Object.keys(values).some((code) => !selection.has(code)),
    );
    if (detachesUsed) return expectStatus(answer, 409, 'axis_in_use');
    expectStatus(answer, 200);
    product.selection = selection;
  }

  async #generate(
    product: ModelProduct,
    { activate, dryRun }: { activate: boolean; dryRun: boolean },
  ): Promise<void> {
    const template = `{sku}-${this.#sku()}${[...product.selection.keys()].map((code) => `-{${code}}`).join('')}`;
    const answer = await this.#client.create(`/catalog/products/${product.tuId}/variants/generate`, {
      dry_run: dryRun,
      activate,
      sku_template: template,
    });
    if (product.selection.size === 0) return expectStatus(answer, 422, 'no_axes_selected');
    const all = modelCombinations(product.selection);
    const missing = all.filter(
      (values) => !product.variants.some((variant) => sameValues(variant.values, values)),
    );
    const skipped = all.length - missing.length;
    expectStatus(answer, dryRun ? 200 : 201);
    if (dryRun) {
      const plan = {
        dry_run: true,
        total_combinations: all.length,
        would_create: missing.length,
        skipped_existing: skipped,
      };
      return assert.deepEqual(answer.json, plan);
    }
    assert.equal(answer.json.created, missing.length);
    assert.equal(answer.json.skipped_existing, skipped);
    const created = answer.json.variants as {
      tu_id: string;
      sku: string;
      axis_values: Record<string, string>;
    }[];
    assert.deepEqual(
      created.map(({ axis_values }) => axis_values),
      missing,
    );
    for (const { tu_id: tuId, sku, axis_values: values } of created)
      product.variants.push({ tuId, sku, values, price: null, isActive: activate, levels: new Map() });
  }

  async #variant(
    product: ModelProduct,
    { combination, price }: { combination: number; price: number | null },
  ) {
    const sku = this.#sku();
    const values =
      product.selection.size === 0 ? {} : pick(modelCombinations(product.selection), combination);
    const answer = await this.#client.create(`/catalog/products/${product.tuId}/variants`, {
      sku,
      axis_values: values,
      ...(price !== null && { price: { value: price } }),
    });
    if (product.selection.size === 0) return expectStatus(answer, 422);
    if (product.variants.some((variant) => sameValues(variant.values, values)))
      return expectStatus(answer, 409, 'conflict');
    expectStatus(answer, 201);
    product.variants.push({
      tuId: answer.json.tu_id,
      sku,
      values,
      price,
      isActive: false,
      levels: new Map(),
    });
  }

  async #patchVariant(
    product: ModelProduct,
    change: { variant: number; price: number | null; isActive: boolean; rename: boolean },
  ): Promise<void> {
    if (product.variants.length === 0) return;
    const variant = pick(product.variants, change.variant);
    const sku = change.rename ? this.#sku() : variant.sku;
    const { price, isActive } = change;
    const body = { price: { value: price }, is_active: isActive, sku };
    expectStatus(await this.#client.patch(`/catalog/variants/${variant.tuId}`, body), 200);
    Object.assign(variant, { price, isActive, sku });
  }

  async #deleteVariant(product: ModelProduct, choice: number): Promise<void> {
    if (product.variants.length === 0) return;
    const variant = pick(product.variants, choice);
    expectStatus(await this.#client.delete(`/catalog/variants/${variant.tuId}`), 204);
    product.variants = product.variants.filter((other) => other !== variant);
  }

  async #adjust(
    product: ModelProduct,
    change: { variant: number; location: number; quantity: number; guess: number | null },
  ): Promise<void> {
    const variant = product.variants.length === 0 ? null : pick(product.variants, change.variant);
    const location = pick(locations, change.location);
    const levels = (variant ?? product).levels;
    const before = levels.get(location)?.quantity ?? 0;
    const answer = await this.#client.create(`/catalog/products/${product.tuId}/stock/adjust`, {
      ...(variant !== null && { variant: variant.tuId }),
      location,
      quantity: change.quantity,
      ...(change.guess !== null && { expected_quantity: change.guess }),
    });
    if (change.guess !== null && change.guess !== before) {
      expectStatus(answer, 409, 'stock_version_conflict');
      return assert.equal(answer.json.current_quantity, before);
    }
    expectStatus(answer, 200);
    assert.equal(answer.json.movement === undefined, before === change.quantity);
    setLevel(levels, location, change.quantity, null);
  }

  async #feed(lines: readonly RandomLine[]): Promise<void> {
    const resolved = lines.map((line) => {
      const product = pick(this.products, line.product);
      const variant: ModelVariant | null =
        product.variants.length === 0 ? null : pick(product.variants, line.variant);
      return { line, location: pick(locations, line.location), target: variant ?? product };
    });
    const answer = await this.#client.create('/catalog/stock/feeds', {
      source: this.#name,
      mode: 'snapshot',
      lines: resolved.map(({ line, location, target }) => ({
        sku: line.unknown ? `${this.#name}-unknown` : target.sku,
        location_code: location,
        quantity: line.quantity,
        ...(line.reserved !== null && { reserved: line.reserved }),
      })),
    });
    expectStatus(answer, 202);
    await this.#applyFeeds();
    const report = await this.#client.get(`/catalog/stock/feeds/${answer.json.feed_id}`);
    assert.equal(report.json.status, 'completed');
    const { received, ...results } = report.json.totals as Record<string, number>;
    assert.equal(received, lines.length);
    assert.equal(
      Object.values(results).reduce((sum, count) => sum + count, 0),
      received,
    );
    // Without timestamps the last line for a place wins entirely: not even the reservation of an earlier line remains.
    const last = new Map(
      resolved
        .filter(({ line }) => !line.unknown)
        .map((entry) => [`${entry.target.sku} ${entry.location}`, entry]),
    );
    for (const { line, location, target } of last.values())
      setLevel(target.levels, location, line.quantity, line.reserved);
  }
}

function setLevel(levels: ModelLevels, location: string, quantity: number, reserved: number | null): void {
  const before = levels.get(location);
  levels.set(location, { quantity, reserved: reserved ?? before?.reserved ?? 0 });
}

function pick<T>(values: readonly T[], choice: number): T {
  return values[choice % values.length] as T;
}

function expectStatus(answer: ApiResponse, status: number, code?: string): void {
  assert.equal(answer.status, status, answer.text);
  if (code !== undefined) assert.equal(answer.json.code, code);
}
