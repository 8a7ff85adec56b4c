import { type DemoBrand, shareOut } from '../client/demo-brand.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { type Parent, type Variant, type VariantSource, variantsOf } from './parent.ts';
import { servedVariant } from './served-parent.ts';

/** Contract, Limits. */
export const maxCombinations = 500;

interface Generation {
  readonly name: string;
  /** What the Idempotency-Keys begin with. */
  readonly key: string;
  readonly body: object;
  readonly status: number;
  expected(parent: Parent): object;
}

interface GeneratedVariants {
  readonly variants?: readonly { readonly tu_id: string }[];
}

/**
 * Lets the server make the variants of products that have their axes and no variants: asks for the plan first, and
 * generates once more at the end, which makes nothing. `parents` come with the variants that have to be made and the ids
 * that nobody knows yet.
 * @returns the products with their variants' ids
 */
export async function generateVariants(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly Parent[],
): Promise<Parent[]> {
  const plan: Generation = {
    name: 'plan variants',
    key: 'plan-variants',
    body: { dry_run: true },
    status: 200,
    expected: ({ variants }) => ({
      total_combinations: variants.length,
      would_create: variants.length,
      skipped_existing: 0,
    }),
  };
  const generate: Generation = {
    name: 'generate variants',
    key: 'generate-variants',
    body: { activate: true },
    status: 201,
    expected: (parent) => ({
      total_combinations: parent.variants.length,
      created: parent.variants.length,
      skipped_existing: 0,
      variants: parent.variants.map((variant, position) => ({
        ...servedVariant(parent, variant, position, null, brand.lowStockThreshold),
        product_tu_id: parent.tuId,
      })),
    }),
  };
  const again: Generation = {
    name: 'generate again',
    key: 'generate-variants-again',
    body: {},
    status: 201,
    expected: ({ variants }) => ({
      total_combinations: variants.length,
      created: 0,
      skipped_existing: variants.length,
      variants: [],
    }),
  };
  await send(run, brand, parents, plan);
  const made = await send(run, brand, parents, generate);
  await send(run, brand, parents, again);
  return made;
}

/** Asks for variants of products that would have too many: neither the plan nor the variants are made. */
export async function verifyCap(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly Parent[],
): Promise<void> {
  await run.step(brand, `refuse above ${maxCombinations}`, parents.length, (step) =>
    shareOut(brand.clients, parents, async (client, { tuId, body: { sku }, choice }) => {
      const count = countCombinations({ choice });
      for (const dryRun of [true, false]) {
        const path = `/catalog/products/${tuId}/variants/generate`;
        const key = `generate-too-many:${dryRun}:${encodeURIComponent(sku)}`;
        const { status, json } = await client.post<{ message?: unknown }>(path, { dry_run: dryRun }, key);
        const expected = { code: 'variant_cap_exceeded', errors: undefined };
        for (const text of differencesBetween(expected, json, sku)) step.differs(text);
        if (status !== 422) step.differs(`${sku}: answered ${status}, expected was 422`);
        for (const figure of [count, maxCombinations])
          if (!String(json?.message).includes(String(figure)))
            step.differs(`${sku}: the message does not say ${figure}`);
      }
      step.advance();
    }),
  );
}

async function send(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly Parent[],
  { name, key, body, status, expected }: Generation,
): Promise<Parent[]> {
  return run.step(brand, name, variantsOf(parents), async (step) => {
    const made: Parent[] = [];
    await shareOut(brand.clients, parents, async (client, parent, index) => {
      const { sku } = parent.body;
      const path = `/catalog/products/${parent.tuId}/variants/generate`;
      const answer = await client.post<GeneratedVariants>(path, body, `${key}:${encodeURIComponent(sku)}`);
      if (answer.status !== status)
        step.differs(`${sku}: answered ${answer.status} ${answer.bytes.toString('utf8', 0, 500)}`);
      else {
        const { variants, ...rest } = expected(parent) as { variants?: readonly object[] };
        // The ids are news; everything else is known.
        const known = variants?.map((variant) => without(variant, 'tu_id'));
        const texts = differencesBetween({ ...rest, ...(known && { variants: known }) }, answer.json, sku);
        for (const text of texts) step.differs(text);
      }
      const ids = answer.json.variants?.map(({ tu_id }) => tu_id) ?? [];
      made[index] = {
        ...parent,
        variants: parent.variants.map((variant, at): Variant => ({ ...variant, tuId: ids[at] ?? '' })),
      };
      step.advance(parent.variants.length);
    });
    return made;
  });
}

function without(object: object, field: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** How many combinations a choice has. */
export function countCombinations({ choice }: Pick<Parent, 'choice'>): number {
  return choice.reduce((count, { values }) => count * values.length, 1);
}

/** Every combination with the SKU that it gets: the product's and each value, the first axis slowest. */
export function combinationsOf({ body, choice }: Pick<Parent, 'body' | 'choice'>): VariantSource[] {
  let combinations: VariantSource[] = [{ sku: body.sku, axisValues: {}, price: null }];
  for (const { code, values } of choice)
    combinations = combinations.flatMap(({ sku, axisValues }) =>
      values.map((value) => ({
        sku: `${sku}-${value}`,
        axisValues: { ...axisValues, [code]: value },
        price: null,
      })),
    );
  return combinations;
}
