import type { Brandport, ProductListItem } from '@brandport/client';
import { inParallel } from '../../in-parallel.ts';
import { quantity } from '../../output/quantity.ts';
import type { WantedCatalog } from '../wanted/wanted-catalog.ts';
import { DoubtfulSkus } from './doubtful-skus.ts';
import { libraryProblems, planAxes, planLocations } from './plan-library.ts';
import { type CheckAxes, fieldChanges, type ProductPlan, planProduct } from './plan-product.ts';
import { planStock, StockSkus } from './plan-stock.ts';
import {
  type LibraryStep,
  noCounts,
  type ProductChange,
  type ProductGroup,
  type ProductStep,
  type RequestLimits,
  type StockStep,
  type SyncPlan,
  secondsAtLimits,
} from './plan-types.ts';
import { type Detail, ProductMemory } from './product-memory.ts';

export interface PlanOptions {
  readonly brandport: Brandport;
  /** Returns the file that remembers the products of a brand. */
  readonly memoryPath: (brandId: number) => string;
  /** Creates axes and values that only products name. */
  readonly createAxes?: boolean | undefined;
  /** Sends stock that is stored already as well, which renews its time. */
  readonly allStock?: boolean | undefined;
  /** Archives active products that are not in the input. */
  readonly archiveMissing?: boolean | undefined;
  /** The largest share of the active products that may be archived; default 0.05. */
  readonly maxArchive?: number | undefined;
  /** Lists the changed fields of all products instead of the first 20. */
  readonly listsAll?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
}

interface ReadProgress {
  readonly done: number;
  readonly of: number;
  readonly secondsLeft: number;
}

const concurrentReads = 8;
const shownChanges = 20;
const defaultMaxArchive = 0.05;
const feedLines = 100_000;

/**
 * Compares the input with the stored catalog. Sends reads only; stored products are compared while they are read.
 * @throws BrandportError
 */
export async function planSync(wanted: WantedCatalog, options: PlanOptions): Promise<SyncPlan> {
  return new Planner(wanted, options).plan();
}

class Planner {
  readonly #wanted: WantedCatalog;
  readonly #options: PlanOptions;
  readonly #counts = noCounts();
  readonly #axes = new Map<string, Set<string>>();
  readonly #locations = new Set<string>();
  readonly #products: ProductGroup[] = [];
  readonly #archives: ProductGroup[] = [];
  readonly #changes: ProductChange[] = [];
  readonly #skus: StockSkus;
  readonly #doubtful = new DoubtfulSkus();
  #changed = 0;
  #unreadParents = 0;

  constructor(wanted: WantedCatalog, options: PlanOptions) {
    this.#wanted = wanted;
    this.#options = options;
    this.#skus = new StockSkus(wanted);
    for (const sku of [...wanted.products.keys(), ...wanted.variantSkus]) this.#doubtful.see(sku);
  }

  async plan(): Promise<SyncPlan> {
    const { brandport, signal, memoryPath } = this.#options;
    const { data: key, response } = await brandport.catalog.status({ signal }).withResponse();
    const { reads_per_minute: reads, writes_per_minute: writes, brand_per_minute: all } = key.rate_limits;
    const limit = (...given: number[]) => Math.min(...given.map((one) => (one === 0 ? Infinity : one)));
    const limits = { reads: limit(reads, all), writes: limit(writes, all) };
    const library = await this.#planLibrary();
    await this.#planProducts(memoryPath(key.brand_id), limits);
    const stock = await this.#planStock(response.headers.get('date') ?? '');
    this.#checkArchives();
    this.#countWrites(library, stock);
    return {
      keyId: key.key_id,
      limits,
      library,
      products: this.#products,
      stock,
      archives: this.#archives,
      changes: this.#changes,
      changed: this.#changed,
      counts: this.#counts,
      problems: this.#wanted.problems,
      warnings: this.#doubtful.find(this.#products),
    };
  }

  async #planLibrary(): Promise<LibraryStep[]> {
    const { brandport, signal } = this.#options;
    const { axisRows, locations, usesAxes, levels } = this.#wanted;
    const steps: LibraryStep[] = [];
    if (usesAxes) {
      const stored = await brandport.catalog.axes.list({ per_page: 200 }, { signal }).toArray();
      const rows = this.#options.createAxes === true ? [...axisRows, ...this.#wanted.namedAxes()] : axisRows;
      for (const { code, values } of stored)
        for (const value of [null, ...values.map((one) => one.value)]) this.#addAxis(code, value);
      for (const { code, value } of rows) this.#addAxis(code, value);
      for (const problem of libraryProblems(this.#axes, stored)) this.#wanted.problems.add('axes', problem);
      steps.push(...planAxes(rows, stored));
    }
    if (locations.size > 0 || levels.size > 0) {
      const stored = await brandport.catalog.locations.list({ per_page: 200 }, { signal }).toArray();
      for (const { external_code: code } of stored) this.#locations.add(code);
      for (const code of locations.keys()) this.#locations.add(code);
      steps.push(...planLocations(locations.values(), stored));
    }
    return steps;
  }

  #addAxis(code: string, value: string | null): void {
    const values = this.#axes.get(code) ?? new Set();
    if (value !== null) values.add(value);
    this.#axes.set(code, values);
  }

  readonly #checkAxes: CheckAxes = (selection) => {
    for (const { code, values } of selection) {
      const known = this.#axes.get(code);
      const value = values.find((one) => known?.has(one) !== true);
      const what = known === undefined ? `the axis "${code}"` : `the value "${value}" of the axis "${code}"`;
      if (value !== undefined) return `${what} is neither stored nor in the input; --create-axes creates it`;
    }
    return null;
  };

  async #planProducts(memoryPath: string, limits: RequestLimits): Promise<void> {
    const { brandport, signal, onProgress } = this.#options;
    const memory = await ProductMemory.open(brandport, memoryPath);
    const remaining = new Set(this.#wanted.products.keys());
    const pages = brandport.catalog.products.list({ sort: 'created_at', per_page: 200 }, { signal }).pages();
    try {
      for await (const { data, meta } of pages) {
        const work = (stored: ProductListItem) => this.#planStored(stored, memory);
        for await (const found of inParallel(data, concurrentReads, work))
          if (found !== null) this.#add(found);
        for (const { sku } of data) if (sku !== null) remaining.delete(sku);
        this.#counts.stored += data.length;
        const done = this.#counts.stored;
        // The others need as many reads as those so far.
        const reads = (memory.fetched / Math.max(1, done)) * Math.max(0, meta.total - done);
        onProgress?.({ done, of: meta.total, secondsLeft: secondsAtLimits({ reads, writes: 0 }, limits) });
      }
      memory.save();
    } finally {
      memory.close();
    }
    for (const sku of remaining)
      this.#add({ plan: this.#compare(sku, null, null), stored: null, detail: null });
  }

  /** Returns null for a product that the input does not name. */
  async #planStored(stored: ProductListItem, memory: ProductMemory): Promise<Compared | null> {
    const sku = stored.sku ?? '';
    if (stored.is_active) this.#counts.active += 1;
    const rows = this.#wanted.products.get(sku);
    this.#doubtful.see(sku);
    this.#skus.see(sku, stored.has_variants);
    if (this.#wanted.variantSkus.has(sku))
      this.#wanted.problems.add(sku, 'a variant of the input has the SKU of a stored product');
    const { product = null, variants = [] } = rows ?? {};
    const needsDetail =
      variants.length > 0 || product?.selection != null || product?.wantsAllVariants === true;
    if (!needsDetail) {
      if (stored.has_variants) this.#unreadParents += 1;
      memory.keep(stored);
    }
    if (rows === undefined) {
      this.#considerArchive(stored);
      return null;
    }
    const detail = needsDetail ? await memory.read(stored, this.#options.signal) : null;
    for (const { sku: variantSku } of detail?.variants ?? []) {
      this.#skus.see(variantSku ?? '', false);
      this.#doubtful.see(variantSku ?? '');
    }
    return { plan: this.#compare(sku, stored, detail), stored, detail };
  }

  #compare(sku: string, stored: ProductListItem | null, detail: Detail | null): ProductPlan {
    const { product: wanted = null, variants = [] } = this.#wanted.products.get(sku) ?? {};
    const plan = planProduct({ sku, wanted, variants, stored, detail }, this.#checkAxes);
    for (const one of [...variants.map((variant) => variant.sku), ...plan.generatedSkus])
      this.#skus.see(one, false);
    this.#skus.see(sku, plan.hasVariants);
    return plan;
  }

  #add({ plan: { group, same, problems }, stored, detail }: Compared): void {
    for (const { place, message } of problems) this.#wanted.problems.add(place, message);
    this.#counts.same += same;
    if (group === null) return;
    this.#products.push(group);
    if (stored === null) return;
    this.#changed += 1;
    if (this.#options.listsAll === true || this.#changed <= shownChanges)
      this.#changes.push({ sku: group.sku, fields: fieldChanges(group.steps, stored, detail) });
  }

  #considerArchive(stored: ProductListItem): void {
    const { sku, tu_id: tuId, updated_at: updatedAt, is_active: isActive } = stored;
    if (!isActive || sku === null || this.#wanted.refusedSkus.has(sku)) return;
    this.#counts.missing += 1;
    if (this.#options.archiveMissing !== true) return;
    const group: ProductGroup = {
      sku,
      place: sku,
      seen: { tuId, updatedAt },
      steps: [{ do: 'update', body: { is_active: false } }],
    };
    this.#archives.push(group);
  }

  /** Archives nothing if too much is missing: the file may be cut. Nor if rows without a product were left out. */
  #checkArchives(): void {
    const count = this.#archives.length;
    if (count > 0 && this.#wanted.hasUnknownRows) {
      const message = `${quantity(count, 'active product')} ${count === 1 ? 'is' : 'are'} missing, and rows whose product is not known were left out: nothing is archived`;
      this.#wanted.problems.add('archive', message);
      this.#archives.length = 0;
      return;
    }
    const share = count / this.#counts.active;
    const { maxArchive = defaultMaxArchive } = this.#options;
    if (count === 0) return;
    if (share > maxArchive) {
      const percent = (value: number) => `${(value * 100).toFixed(1).replace(/\.0$/, '')} %`;
      const message = `${quantity(count, 'product')} ${count === 1 ? 'is' : 'are'} missing, ${percent(share)} of the active ones; --max-archive allows ${percent(maxArchive)}`;
      this.#wanted.problems.add('archive', message);
      this.#archives.length = 0;
    }
  }

  async #planStock(date: string): Promise<StockStep[]> {
    if (this.#wanted.levels.size === 0) return [];
    const { brandport, signal, allStock = false } = this.#options;
    const now = Date.parse(date);
    return planStock(this.#wanted, {
      brandport,
      plannedAt: new Date(Number.isNaN(now) ? Math.floor(Date.now() / 1000) * 1000 : now).toISOString(),
      skus: this.#skus,
      counts: this.#counts,
      canVerifySkus: this.#unreadParents === 0,
      isComplete: allStock,
      locations: this.#locations,
      signal,
    });
  }

  #countWrites(library: readonly LibraryStep[], stock: readonly StockStep[]): void {
    const counts = this.#counts;
    for (const { seen, steps } of this.#products) {
      const of = (...kinds: ProductStep['do'][]) => steps.filter((step) => kinds.includes(step.do)).length;
      counts.writes += steps.length;
      // A look before the writes.
      if (seen !== null) counts.reads += 1;
      counts.create += of('create');
      counts.createVariants += of('create_variant');
      counts.patch += of('update_variant') + (seen !== null && of('update', 'select') > 0 ? 1 : 0);
      counts.generate += of('generate');
      for (const step of steps) if (step.do === 'generate') counts.generatedVariants += step.creates;
    }
    counts.axisLibrary = library.length;
    counts.feedLines = stock.length;
    counts.feeds = Math.ceil(stock.length / feedLines);
    counts.archive = this.#archives.length;
    counts.writes += library.length + counts.feeds + counts.archive;
    counts.reads += counts.archive;
    counts.problems = this.#wanted.problems.count;
  }
}

interface Compared {
  readonly plan: ProductPlan;
  readonly stored: ProductListItem | null;
  readonly detail: Detail | null;
}
