import type { ProductListItem } from '@brandport/client';
import { Spool, type SpoolRef } from '../../input/spool.ts';
import type { WantedCatalog } from '../wanted/wanted-catalog.ts';
import type { PlanCounts } from './plan-counts.ts';
import type { PlanOptions } from './plan-options.ts';
import type { ProductGroup } from './plan-types.ts';
import type { PlanWriter } from './plan-writer.ts';
import { type ProductChanges, productChange } from './product-change.ts';
import type { StepKeys } from './step-keys.ts';

type Candidate = Pick<ProductGroup, 'sku' | 'tu_id' | 'updated_at'>;

export const defaultMaxArchive = 0.05;

/** Collects active products that are not in the input, and archives them if the options say so. */
export class ArchivePlan {
  readonly #wanted: WantedCatalog;
  readonly #counts: PlanCounts;
  readonly #changes: ProductChanges;
  readonly #options: PlanOptions;
  readonly #keys: StepKeys;
  readonly #spool = new Spool<Candidate>();
  readonly #refs: SpoolRef[] = [];

  constructor(
    input: { wanted: WantedCatalog; counts: PlanCounts; changes: ProductChanges; options: PlanOptions },
    keys: StepKeys,
  ) {
    this.#wanted = input.wanted;
    this.#counts = input.counts;
    this.#changes = input.changes;
    this.#options = input.options;
    this.#keys = keys;
  }

  /** @param product a stored one that the input does not name */
  consider({ sku, tu_id: tuId, updated_at: updatedAt, is_active: isActive }: ProductListItem): void {
    if (!isActive || sku === null || this.#wanted.refusedSkus.has(sku)) return;
    this.#counts.missing += 1;
    if (this.#options.archiveMissing === true)
      this.#refs.push(this.#spool.add({ sku, tu_id: tuId, updated_at: updatedAt }));
  }

  async write(writer: PlanWriter): Promise<void> {
    try {
      if (this.#refs.length === 0) return;
      const share = this.#refs.length / this.#counts.active;
      const { maxArchive = defaultMaxArchive } = this.#options;
      if (share > maxArchive) {
        const percent = (value: number) => `${(value * 100).toFixed(1).replace(/\.0$/, '')} %`;
        const message = `${this.#refs.length} products are missing, ${percent(share)} of the active ones; at most ${percent(maxArchive)} are archived`;
        return this.#wanted.problems.add('archive', message);
      }
      for (const ref of this.#refs) {
        const candidate = this.#spool.get(ref);
        const body = { is_active: false };
        const key = await this.#keys.key(candidate.sku, 0, body);
        const group: ProductGroup = { kind: 'archive', ...candidate, steps: [{ do: 'update', key, body }] };
        writer.line(group);
        this.#changes.add(() => productChange(group, { is_active: true }, null));
      }
      this.#counts.archive = this.#refs.length;
      this.#counts.writes += this.#refs.length;
      this.#counts.reads += this.#refs.length;
    } finally {
      this.#spool.close();
    }
  }
}
