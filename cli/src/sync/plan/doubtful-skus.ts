import type { Place } from '../../input/input-rows.ts';
import type { ProductGroup, Warning } from './plan-types.ts';

/** Finds SKUs that a spreadsheet has probably changed, among those that a plan creates. */
export class DoubtfulSkus {
  /** Stored SKUs that begin with a zero, by their digits without it. */
  readonly #padded = new Map<string, string>();

  /** Notes a SKU that is stored, or that the input has. */
  see(sku: string): void {
    if (/^0\d+$/.test(sku)) this.#padded.set(sku.replace(/^0+/, ''), sku);
  }

  /** Returns the doubtful SKUs of products and variants to create, in the order of the plan. */
  find(groups: readonly ProductGroup[]): Warning[] {
    return groups.flatMap(({ sku, place, seen, steps }) => {
      const variants = steps.flatMap((step) =>
        step.do === 'create_variant' ? [[step.body.sku, step.place ?? place] as const] : [],
      );
      const created = seen === null ? [[sku, place] as const, ...variants] : variants;
      return created.flatMap(([one, at]) => {
        const doubt = this.#doubtOf(one);
        return doubt === null ? [] : [{ at: textOf(at), message: `the SKU "${one}" ${doubt}` }];
      });
    });
  }

  #doubtOf(sku: string): string | null {
    if (/^\d+([.,]\d+)?E[+-]?\d+$/i.test(sku)) return 'looks like a number that a spreadsheet has shortened';
    if (/^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!)$/i.test(sku)) return 'is an error of a spreadsheet';
    const padded = this.#padded.get(sku);
    return padded === undefined ? null : `is created next to "${padded}": did a spreadsheet remove zeros?`;
  }
}

function textOf(place: Place | string): string {
  return typeof place === 'string' ? place : `${place.file}:${place.line}`;
}
