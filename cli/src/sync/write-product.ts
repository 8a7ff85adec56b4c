import { type Brandport, type Call, keyFrom, type ResponseInfo } from '@brandport/client';
import type { ProductGroup, ProductStep } from './plan/plan-types.ts';
import { combinationKey } from './plan/plan-variants.ts';

/** A product that has changed since the comparison has read it. Nothing of it was written. */
export class ProductMoved extends Error {
  override readonly name = 'ProductMoved';
}

interface WriteContext {
  readonly brandport: Brandport;
  readonly signal: AbortSignal;
  /** Called before each step. */
  readonly onStep: (step: ProductStep) => void;
  readonly onWritten: (outcome: WriteOutcome) => void;
}

/** A repeated write was done before, by another run or by an attempt whose response was lost. */
export type WriteOutcome = 'written' | 'repeated';

/** The product while it is written. */
interface Written {
  readonly tuId: string;
  /** The state that the keys derive from: the same steps on another state are other writes. */
  readonly base: string;
  /** The ids of its variants by combination. */
  readonly variants: Map<string, string>;
}

/**
 * Carries out the steps of one product, in their order. Their Idempotency-Keys derive from what is written and what it is written
 * to, so that two runs at once write once [D148].
 * @throws ProductMoved, BrandportError
 */
export async function writeProduct(group: ProductGroup, context: WriteContext): Promise<void> {
  let product: Written | null = null;
  for (const [index, step] of group.steps.entries()) {
    context.signal.throwIfAborted();
    context.onStep(step);
    if (step.do === 'create') {
      const { created, outcome } = await create(step, context);
      product = created;
      context.onWritten(outcome);
    } else {
      product ??= await look(group, context);
      const key = await keyFrom('sync', product.base, index, step.body);
      context.onWritten(await write(step, product, { ...context, key }));
    }
  }
}

/** Reads a stored product: its last change has to be the one that the comparison has seen. */
async function look({ seen }: ProductGroup, { brandport, signal }: WriteContext): Promise<Written> {
  const tuId = seen?.tuId ?? '';
  const { updated_at: updatedAt, variants } = await brandport.catalog.products.get(tuId, { signal });
  if (updatedAt !== seen?.updatedAt)
    throw new ProductMoved(`changed at ${updatedAt}, after it was compared: run the command again`);
  return {
    tuId,
    base: `${tuId} ${updatedAt}`,
    variants: new Map(variants.map((one) => [combinationKey(one.axis_values), one.tu_id])),
  };
}

async function create(
  { body }: ProductStep & { do: 'create' },
  { brandport, signal }: WriteContext,
): Promise<{ created: Written; outcome: WriteOutcome }> {
  const { products } = brandport.catalog;
  const idempotencyKey = await keyFrom('sync', body);
  const { data: first, response } = await products.create(body, { idempotencyKey, signal }).withResponse();
  let [data, outcome] = [first, outcomeIn(response)];
  // If what another run created has got another SKU since, this one is still missing.
  if (isReplay(response)) {
    const { sku } = await products.get(data.tu_id, { signal });
    if (sku !== body.sku) [data, outcome] = [await products.create(body, { signal }), 'written'];
  }
  const created = { tuId: data.tu_id, base: `${data.tu_id} ${data.updated_at}`, variants: new Map() };
  return { created, outcome };
}

async function outcomeOf(call: Call<unknown>): Promise<WriteOutcome> {
  return outcomeIn((await call.withResponse()).response);
}

function outcomeIn(response: ResponseInfo): WriteOutcome {
  return isReplay(response) ? 'repeated' : 'written';
}

function isReplay({ headers }: ResponseInfo): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

async function write(
  step: Exclude<ProductStep, { do: 'create' }>,
  { tuId, variants: ids }: Written,
  { brandport, signal, key: idempotencyKey }: WriteContext & { readonly key: string },
): Promise<WriteOutcome> {
  const { products, variants } = brandport.catalog;
  switch (step.do) {
    case 'update':
      return outcomeOf(products.update(tuId, step.body, { idempotencyKey, signal }));
    case 'select':
      return outcomeOf(products.replaceAxes(tuId, step.body, { signal }));
    case 'generate': {
      const body = step.body as typeof step.body & { dry_run?: false };
      const call = variants.generate(tuId, body, { idempotencyKey, signal });
      for (const one of (await call).variants) ids.set(combinationKey(one.axis_values), one.tu_id);
      return outcomeOf(call);
    }
    case 'create_variant':
      return outcomeOf(variants.create(tuId, step.body, { idempotencyKey, signal }));
    case 'update_variant': {
      const id = ids.get(combinationKey(step.axis_values));
      if (id === undefined) throw new ProductMoved('has no variant with these axis values any more');
      return outcomeOf(variants.update(id, step.body, { signal }));
    }
  }
}
