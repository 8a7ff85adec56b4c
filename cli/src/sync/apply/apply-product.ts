import { type Brandport, isBrandportError } from '@brandport/client';
import type { ProductGroup, ProductStep } from '../plan/plan-types.ts';
import { combinationKey } from '../plan/product-differences.ts';
import { hasFields, isPresent } from './is-present.ts';
import type { Progress } from './journal.ts';

/** A product that changed after the plan has read it. */
export class ProductMoved extends Error {
  override readonly name = 'ProductMoved';
}

export interface ProductContext {
  readonly brandport: Brandport;
  /** The progress of the group in the journal. */
  readonly progress: Progress | null;
  /** false: the service may have forgotten the keys of the plan. */
  readonly keysAreKept: boolean;
  /** true: the writes happen also if the product has changed. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  /** Makes progress durable; called after each step. */
  readonly record: (progress: Progress, wasWritten: boolean) => void;
}

/** Carries out the writes of one product, in order, from where the journal ends. */
export class ProductWrites {
  readonly #group: ProductGroup;
  readonly #context: ProductContext;
  readonly #variants = new Map<string, string>();
  #tuId: string | null;
  #updatedAt: string | null;
  #next: number;

  constructor(group: ProductGroup, context: ProductContext) {
    const { progress } = context;
    this.#group = group;
    this.#context = context;
    this.#tuId = progress?.tu_id ?? group.tu_id;
    this.#updatedAt = progress?.updated_at ?? group.updated_at;
    this.#next = progress?.done ?? 0;
  }

  /** @throws ProductMoved before anything is written, BrandportError */
  async apply(): Promise<void> {
    const { steps } = this.#group;
    if (this.#next >= steps.length) return;
    if (this.#tuId !== null) await this.#compare(this.#tuId);
    while (this.#next < steps.length) {
      const step = steps[this.#next];
      if (step === undefined) break;
      const updatedAt = await this.#write(step);
      this.#finish(updatedAt, true);
    }
  }

  /** Reads the product: its last change has to be the one that the plan has seen, or that the journal has. */
  async #compare(tuId: string): Promise<void> {
    const { brandport, signal, isForced } = this.#context;
    const product = await brandport.catalog.products.get(tuId, { signal });
    for (const { tu_id: variantTuId, axis_values: axisValues } of product.variants)
      this.#variants.set(combinationKey(axisValues), variantTuId);
    if (product.updated_at === this.#updatedAt) return;
    // The process may have been killed after the effect and before its line in the journal.
    const first = this.#next;
    for (let step = this.#group.steps[first]; step !== undefined && isPresent(step, product); ) {
      this.#finish(product.updated_at, false);
      step = this.#group.steps[this.#next];
    }
    if (this.#next === first && !isForced)
      throw new ProductMoved(`changed at ${product.updated_at}, after the plan has read it`);
  }

  #finish(updatedAt: string, wasWritten: boolean): void {
    this.#next += 1;
    this.#updatedAt = updatedAt;
    const progress = { done: this.#next, tu_id: this.#tuId ?? undefined, updated_at: updatedAt };
    this.#context.record(progress, wasWritten);
  }

  /** Returns the product's `updated_at` after the write. */
  async #write(step: ProductStep): Promise<string> {
    const { brandport, signal } = this.#context;
    const { products, variants } = brandport.catalog;
    if (step.do === 'create') return this.#create(step);
    const tuId = this.#tuId ?? '';
    switch (step.do) {
      case 'update':
        return (await products.update(tuId, step.body, { idempotencyKey: step.key, signal })).updated_at;
      case 'select': {
        await products.replaceAxes(tuId, step.body, { signal });
        return (await products.get(tuId, { signal })).updated_at;
      }
      case 'generate': {
        const body = step.body as typeof step.body & { dry_run?: false };
        const generated = await variants.generate(tuId, body, { idempotencyKey: step.key, signal });
        for (const { axis_values: values, tu_id: id } of generated.variants)
          this.#variants.set(combinationKey(values), id);
        return (await products.get(tuId, { signal })).updated_at;
      }
      case 'create_variant': {
        const created = await variants.create(tuId, step.body, { idempotencyKey: step.key, signal });
        this.#variants.set(combinationKey(created.axis_values), created.tu_id);
        return created.updated_at;
      }
      case 'update_variant': {
        const variant = this.#variants.get(combinationKey(step.axis_values));
        if (variant === undefined) throw new ProductMoved('has no variant with the axis values of the plan');
        return (await variants.update(variant, step.body, { signal })).updated_at;
      }
    }
  }

  async #create({ body, key }: ProductStep & { do: 'create' }): Promise<string> {
    const { brandport, keysAreKept, signal } = this.#context;
    // Without its key, a repeated creation would be refused: the SKU is taken, perhaps by this plan.
    const known = keysAreKept ? null : await this.#find(body);
    const product =
      known ??
      (await brandport.catalog.products
        .create(body, { idempotencyKey: key, signal })
        .catch(async (error: unknown) => {
          const found = isBrandportError(error, 'duplicate_sku') ? await this.#find(body) : null;
          if (found === null) throw error;
          return found;
        }));
    this.#tuId = product.tu_id;
    return product.updated_at;
  }

  /** Returns the stored product with the SKU if it has all fields of the plan. */
  async #find(body: (ProductStep & { do: 'create' })['body']) {
    const { brandport, signal } = this.#context;
    const { data } = await brandport.catalog.products.list({ sku: body.sku }, { signal }).first();
    const [product] = data;
    return product !== undefined && hasFields(body, product) ? product : null;
  }
}
