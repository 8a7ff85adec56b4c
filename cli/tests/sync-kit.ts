import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Brandport } from '@brandport/client';
import { type ApplyOptions, applyPlan } from '../src/sync/apply-plan.ts';
import { type PlanOptions, planSync } from '../src/sync/plan/planner.ts';
import { WantedCatalog } from '../src/sync/wanted/wanted-catalog.ts';

/** A folder with input files. */
export class SyncFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'brandport-sync-'));

  constructor() {
    after(() => rmSync(this.path, { recursive: true, force: true }));
  }

  /** Writes a file and returns its path. */
  file(name: string, lines: readonly (string | object)[]): string {
    const path = join(this.path, name);
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    writeFileSync(path, `${texts.join('\n')}\n`);
    return path;
  }

  async plan(brandport: Brandport, paths: readonly string[], more: Partial<PlanOptions> = {}) {
    const wanted = await WantedCatalog.read(paths.map((path) => ({ path })));
    const memoryPath = (brandId: number) => join(this.path, `memory-${brandId}.jsonl`);
    return planSync(wanted, { brandport, memoryPath, ...more });
  }

  async sync(brandport: Brandport, paths: readonly string[], more: Partial<PlanOptions & ApplyOptions> = {}) {
    const planned = await this.plan(brandport, paths, more);
    return { planned, applied: await applyPlan(planned, { brandport, ...more }) };
  }
}

/** Returns everything of a catalog that does not depend on when and under which ids it was created. */
export async function catalogOf({ catalog }: Brandport) {
  const products = [];
  for await (const { tu_id: tuId } of catalog.products.list({ sort: 'sku' })) {
    const { id, tu_id, brand_id, created_at, updated_at, axes, variants, ...fields } =
      await catalog.products.get(tuId);
    products.push({
      ...fields,
      axes: axes.map(({ code, values }) => [code, values.map(({ value }) => value)]),
      variants: variants
        .map(({ tu_id: _, position, ...variant }) => variant)
        .sort((a, b) => ((a.sku ?? '') < (b.sku ?? '') ? -1 : 1)),
    });
  }
  const axes = await catalog.axes.list().toArray();
  const locations = await catalog.locations.list().toArray();
  const levels = await catalog.stock.levels().toArray();
  return {
    products,
    axes: axes.map(({ code, label, values }) => [
      code,
      label,
      values.map(({ value, label: name }) => [value, name]),
    ]),
    locations: locations.map(({ external_code: code, name }) => [code, name]),
    levels: levels.map(({ sku, location, quantity, reserved }) => [sku, location, quantity, reserved]),
  };
}
