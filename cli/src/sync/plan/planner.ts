import type { ProductListItem } from '@brandport/client';
import { Spool, type SpoolRef } from '../../input/spool.ts';
import { inParallel } from '../in-parallel.ts';
import type { WantedCatalog } from '../wanted/wanted-catalog.ts';
import { ArchivePlan } from './archive-plan.ts';
import { DetailCache } from './detail-cache.ts';
import { KnownAxes } from './known-axes.ts';
import type { PlanCounts } from './plan-counts.ts';
import { planAxes, planLocations } from './plan-library.ts';
import type { PlanOptions } from './plan-options.ts';
import { planProduct } from './plan-product.ts';
import { StockSkus, stockLines } from './plan-stock.ts';
import type { FeedLine, LibraryStep, PlanHeader } from './plan-types.ts';
import { PlanWriter } from './plan-writer.ts';
import type { ProductChanges } from './product-change.ts';
import type { Situation } from './situation.ts';
import { StepKeys } from './step-keys.ts';

const concurrentReads = 8;

/** Writes a plan from its first line to its last. One use only. */
export class Planner {
  readonly #planId = crypto.randomUUID();
  readonly #keys = new StepKeys(this.#planId);
  readonly #axes = new KnownAxes();
  readonly #locations = new Set<string>();
  readonly #wanted: WantedCatalog;
  readonly #situation: Situation;
  readonly #counts: PlanCounts;
  readonly #changes: ProductChanges;
  readonly #options: PlanOptions;
  readonly #skus: StockSkus;
  readonly #archive: ArchivePlan;
  #unreadParents = 0;

  constructor(input: {
    wanted: WantedCatalog;
    situation: Situation;
    counts: PlanCounts;
    changes: ProductChanges;
    options: PlanOptions;
  }) {
    this.#wanted = input.wanted;
    this.#situation = input.situation;
    this.#counts = input.counts;
    this.#changes = input.changes;
    this.#options = input.options;
    this.#skus = new StockSkus(input.wanted);
    this.#archive = new ArchivePlan(input, this.#keys);
  }

  /** @param out the file of the plan; null: only the counts are filled */
  async write(out: string | null): Promise<void> {
    const writer = new PlanWriter(out);
    const { source = 'brandport-sync' } = this.#options;
    try {
      const header: PlanHeader = {
        brandport_plan: 1,
        plan_id: this.#planId,
        brand_id: this.#situation.brandId,
        planned_at: this.#situation.now,
        source,
      };
      writer.line(header);
      await this.#writeLibrary(writer);
      await this.#writeProducts(writer);
      await this.#writeFeed(writer);
      await this.#archive.write(writer);
      const { problems } = this.#wanted;
      this.#counts.problems = problems.count;
      writer.line({ kind: 'end', counts: this.#counts, problems: problems.kept });
      writer.finish();
    } finally {
      writer.discard();
    }
  }

  async #writeLibrary(writer: PlanWriter): Promise<void> {
    const { brandport, signal } = this.#options;
    const { axisRows, locations, usesAxes, levels } = this.#wanted;
    const steps: LibraryStep[] = [];
    if (usesAxes) {
      const stored = await brandport.catalog.axes.list({ per_page: 200 }, { signal }).toArray();
      const rows = this.#options.createAxes === true ? [...axisRows, ...this.#wanted.namedAxes()] : axisRows;
      for (const { code, values } of stored)
        for (const value of [null, ...values.map((one) => one.value)]) this.#axes.add(code, value);
      for (const { code, value } of rows) this.#axes.add(code, value);
      steps.push(...(await planAxes(rows, stored, this.#keys)));
    }
    if (locations.size > 0 || levels.size > 0) {
      const stored = await brandport.catalog.locations.list({ per_page: 200 }, { signal }).toArray();
      for (const { external_code: code } of stored) this.#locations.add(code);
      for (const code of locations.keys()) this.#locations.add(code);
      steps.push(...(await planLocations(locations.values(), stored, this.#keys)));
    }
    if (steps.length > 0) writer.line({ kind: 'library', steps });
    this.#counts.axisLibrary += steps.length;
    this.#counts.writes += steps.length;
  }

  async #writeProducts(writer: PlanWriter): Promise<void> {
    const { brandport, signal, onProgress, cache } = this.#options;
    const details = new DetailCache(brandport, cache ?? null);
    const remaining = new Set(this.#wanted.products.keys());
    const pages = brandport.catalog.products.list({ sort: 'created_at', per_page: 200 }, { signal }).pages();
    try {
      for await (const { data, meta } of pages) {
        const plans = inParallel(data, concurrentReads, (stored) => this.#plan(stored, details));
        for await (const plan of plans) this.#write(writer, plan);
        for (const { sku } of data) if (sku !== null) remaining.delete(sku);
        this.#counts.stored += data.length;
        onProgress?.({ read: this.#counts.stored, of: meta.total });
      }
      details.save();
    } finally {
      details.close();
    }
    for (const sku of remaining) this.#write(writer, await this.#planRows(sku, null, null));
  }

  async #plan(stored: ProductListItem, details: DetailCache): Promise<Planned | null> {
    const sku = stored.sku ?? '';
    if (stored.is_active) this.#counts.active += 1;
    const rows = this.#wanted.products.get(sku);
    this.#skus.see(sku, stored.has_variants);
    if (this.#wanted.variantSkus.has(sku))
      this.#wanted.problems.add(sku, 'a variant of the input has the SKU of a stored product');
    if (rows === undefined) {
      if (stored.has_variants) this.#unreadParents += 1;
      this.#archive.consider(stored);
      return null;
    }
    const product = rows.product === null ? null : this.#wanted.product(rows.product);
    const needsDetail =
      rows.variants.length > 0 || product?.selection != null || product?.wantsAllVariants === true;
    if (stored.has_variants && !needsDetail) this.#unreadParents += 1;
    const detail = needsDetail ? await details.read(stored, this.#options.signal) : null;
    for (const { sku: variantSku } of detail?.variants ?? []) this.#skus.see(variantSku ?? '', false);
    return this.#planRows(sku, stored, detail);
  }

  async #planRows(
    sku: string,
    stored: ProductListItem | null,
    detail: Awaited<ReturnType<DetailCache['read']>> | null,
  ): Promise<Planned> {
    const rows = this.#wanted.products.get(sku);
    const wanted = rows?.product == null ? null : this.#wanted.product(rows.product);
    const variants = (rows?.variants ?? []).map((ref) => this.#wanted.variant(ref));
    const context = { axes: this.#axes, keys: this.#keys, counts: this.#counts };
    const plan = await planProduct({ sku, wanted, variants, stored, detail }, context);
    for (const one of [...variants.map((variant) => variant.sku), ...plan.generatedSkus])
      this.#skus.see(one, false);
    this.#skus.see(sku, plan.hasVariants);
    return plan;
  }

  #write(writer: PlanWriter, plan: Planned | null): void {
    if (plan === null) return;
    for (const { place, message } of plan.problems) this.#wanted.problems.add(place, message);
    if (plan.group !== null) writer.line(plan.group);
    if (plan.change !== undefined) this.#changes.add(plan.change);
  }

  async #writeFeed(writer: PlanWriter): Promise<void> {
    if (this.#wanted.levels.size === 0) return;
    const { brandport, signal, allStock = false } = this.#options;
    const context = {
      brandport,
      skus: this.#skus,
      counts: this.#counts,
      canVerifySkus: () => this.#unreadParents === 0,
    };
    const options = {
      plannedAt: this.#situation.now,
      isComplete: allStock,
      locations: this.#locations,
      signal,
    };
    // The number of lines is before the lines.
    const spool = new Spool<FeedLine>();
    try {
      const refs: SpoolRef[] = [];
      for await (const line of stockLines(this.#wanted, context, options)) refs.push(spool.add(line));
      if (refs.length === 0) return;
      writer.line({ kind: 'feed', batch_id: `sync-${this.#planId}`, lines: refs.length });
      for (const ref of refs) writer.line(spool.get(ref));
      this.#counts.feedLines = refs.length;
      this.#counts.feeds = Math.ceil(refs.length / 100_000);
      this.#counts.writes += this.#counts.feeds;
    } finally {
      spool.close();
    }
  }
}

type Planned = Awaited<ReturnType<typeof planProduct>>;
