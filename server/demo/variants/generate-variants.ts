import type { VariantGenerate, VariantGenerationResult } from '../../../client/src/index.ts';
import { type BrandClient, type DemoBrand, shareOut } from '../client/demo-brand.ts';
import type { ApiResponse } from '../client/demo-client.ts';
import { differencesBetween } from '../compare.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import { countCombinations, maxCombinations, type Parent, type PendingParent, variantsOf } from './parent.ts';
import { servedVariant } from './served-parent.ts';

interface Generation {
  readonly name: string;
  /** Prefix of the Idempotency-Keys. */
  readonly key: string;
  readonly body: VariantGenerate;
  readonly status: number;
  expected(parent: PendingParent): object;
}

/** A plan has no variants. */
type GenerationAnswer = Partial<Pick<VariantGenerationResult, 'variants'>>;

/**
 * Lets the server generate the variants of products that have axes and no variants. Requests the plan first, and
 * generates again at the end, which creates nothing.
 */
export async function generateVariants(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly PendingParent[],
): Promise<Parent[]> {
  const { lowStockThreshold } = brand;
  const plan: Generation = {
    name: 'plan variants',
    key: 'plan-variants',
    body: { dry_run: true },
    status: 200,
    expected: ({ variants }) => ({
      dry_run: true,
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
      dry_run: false,
      total_combinations: parent.variants.length,
      created: parent.variants.length,
      skipped_existing: 0,
      variants: parent.variants.map((variant, position) => ({
        ...servedVariant(parent, variant, position, { quantity: null, lowStockThreshold }),
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
      dry_run: false,
      total_combinations: variants.length,
      created: 0,
      skipped_existing: variants.length,
      variants: [],
    }),
  };
  await send(run, brand, parents, plan);
  const answers = await send(run, brand, parents, generate);
  await send(run, brand, parents, again);
  return parents.map((parent, index) => ({
    ...parent,
    variants: parent.variants.map((variant, at) => ({
      ...variant,
      tuId: idIn(answers[index]?.variants?.[at]),
    })),
  }));
}

/** Requests variants of products that would have too many: neither the plan nor the variants are created. */
export async function verifyCap(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly PendingParent[],
): Promise<void> {
  await run.step(brand, `refuse above ${maxCombinations}`, parents.length, (step) =>
    shareOut(brand.clients, parents, async (client, { tuId, body: { sku }, choice }) => {
      const count = countCombinations({ choice });
      for (const dryRun of [true, false]) {
        const key = `generate-too-many:${dryRun}:${encodeURIComponent(sku)}`;
        const answer = await generate(client, tuId, { dry_run: dryRun }, key);
        const { status, json } = answer as ApiResponse<{ message?: unknown }>;
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

/** @returns the responses, in the order of `parents` */
async function send(
  run: DataSetRun,
  brand: DemoBrand,
  parents: readonly PendingParent[],
  { name, key, body, status, expected }: Generation,
): Promise<GenerationAnswer[]> {
  return run.step(brand, name, variantsOf(parents), async (step) => {
    const answers: GenerationAnswer[] = [];
    await shareOut(brand.clients, parents, async (client, parent, index) => {
      const { sku } = parent.body;
      const answer = await generate(client, parent.tuId, body, `${key}:${encodeURIComponent(sku)}`);
      if (answer.status !== status)
        step.differs(`${sku}: answered ${answer.status} ${answer.bytes.toString('utf8', 0, 500)}`);
      else for (const text of differencesBetween(expected(parent), answer.json, sku)) step.differs(text);
      answers[index] = answer.json;
      step.advance(parent.variants.length);
    });
    return answers;
  });
}

function generate(
  client: BrandClient,
  productTuId: string,
  { dry_run: isPlan = false, ...body }: VariantGenerate,
  idempotencyKey: string,
): Promise<ApiResponse<GenerationAnswer>> {
  return client.send<GenerationAnswer>(({ catalog: { variants } }, call) => {
    const options = { ...call, idempotencyKey };
    return isPlan
      ? (variants.planGeneration(productTuId, body, options) as PromiseLike<GenerationAnswer>)
      : variants.generate(productTuId, body, options);
  });
}

function idIn(variant: object | undefined): string {
  return variant !== undefined && 'tu_id' in variant ? String(variant.tu_id) : '';
}
