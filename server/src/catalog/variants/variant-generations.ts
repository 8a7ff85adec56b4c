import { type OpenSet, refusalOr } from '../../api/set-handling.ts';
import { ApiError, notFound } from '../../errors/api-error.ts';
import { newTuId } from '../../lib/ids.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { type Locking, setOf } from '../brand-set.ts';
import { drawIds } from '../draw-ids-store.ts';
import { lockCatalogs } from '../old-locks-store.ts';
import { findSkuHolders } from '../skus/sku-claim-store.ts';
import { type GenerationCandidate, generationCandidates } from './generation.ts';
import { type GenerationFacts, readGenerationFacts } from './generation-facts-store.ts';
import type { VariantParent, VariantView } from './variant.ts';
import { writeNewVariants } from './variant-creations.ts';
import { generatedVariants } from './variant-rules.ts';

/** Each is a set alone. */
export interface VariantGeneration {
  readonly brandId: number;
  readonly productTuId: string;
  /** Absent: the default template. */
  readonly skuTemplate?: string | undefined;
  readonly activate: boolean;
}

interface GenerationPlan {
  /** The number of all combinations of the selection. */
  readonly total: number;
  /** The candidates whose combination no live variant has, in order. */
  readonly missing: readonly GenerationCandidate[];
}

interface Generated extends Pick<GenerationPlan, 'total'> {
  readonly parent: VariantParent;
  readonly variants: readonly VariantView[];
}

/**
 * Opens the creation of every combination that no live variant has, all or nothing, in a constant number of statements. The
 * second of two generations sees the variants of the first.
 * @throws ApiError `decide`: `not_found`; see `generationCandidates` and `generatedVariants`
 */
export async function openGeneration(
  tx: Transaction,
  generation: VariantGeneration,
  options: Locking,
): Promise<OpenSet<Generated>> {
  const { brandId, activate: isActive } = generation;
  const [locks, facts] = await Promise.all([
    lockCatalogs(tx, [generation], options),
    readGenerationFacts(tx, generation),
  ]);
  const plan = refusalOr(() => planOf(facts, generation));
  const missing = plan instanceof ApiError ? [] : plan.missing;
  const [ids, holders] = await Promise.all([
    drawIds(tx, 'variant', missing.length),
    findSkuHolders(
      tx,
      missing.map(({ sku }) => ({ brandId, sku })),
    ),
  ]);
  let write = () => {};
  return setOf([generation], locks, {
    decide: (_, lock) => {
      if (plan instanceof ApiError) throw plan;
      const { product, parent, selection, lastPosition } = facts as GenerationFacts;
      const created = generatedVariants(missing, {
        selection,
        holders,
        lastPosition,
        isActive,
        stamp: () => lock.next(),
        ids: ids.map((id) => ({ id, tuId: newTuId() })),
      });
      write = () =>
        writeNewVariants(
          tx,
          created.map((each) => ({ ...each, brandId, product, productId: product.id })),
          locks,
        );
      return { total: plan.total, parent, variants: created.map(({ variant }) => variant) };
    },
    write: () => write(),
  });
}

/**
 * Opens a dry run, which locks and writes nothing, and does not check whether SKUs are taken: that may change until the real
 * run.
 * @throws ApiError `decide`: `not_found`; see `generationCandidates`
 */
export async function openDryRun(
  tx: Transaction,
  generation: VariantGeneration,
): Promise<OpenSet<GenerationPlan>> {
  const facts = await readGenerationFacts(tx, generation);
  return { isLocked: () => true, decide: () => planOf(facts, generation), write: async () => {} };
}

function planOf(facts: GenerationFacts | null, { skuTemplate }: VariantGeneration): GenerationPlan {
  if (facts === null) throw notFound();
  const { selection, productSku, taken } = facts;
  const candidates = generationCandidates(selection, productSku, skuTemplate);
  const missing = candidates.filter(({ combination }) => !taken.has(combination));
  return { total: candidates.length, missing };
}
