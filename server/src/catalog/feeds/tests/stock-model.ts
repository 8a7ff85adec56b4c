import type { TestApps } from '../../../../test/support/test-apps.ts';
import { newLocation, newSimple, newStockedParent } from '../../stock/tests/stock.ts';
import type { SentLine } from './feeds.ts';

interface ModelLevel {
  quantity: number;
  reserved: number;
  at: number;
}

/** The stock of the brand of `newModelBrand` by the documented rules, applied one line after the other. */
export class StockModel {
  readonly stockable = new Set(['A', 'B', 'P-1', 'P-2']);
  readonly parents = new Set(['P']);
  /** One of them is inactive, where stock is kept as elsewhere. */
  readonly locations = new Set(['L', 'M', 'OFF']);
  readonly levels = new Map<string, ModelLevel>();

  /** Returns the results of the lines of a feed. */
  apply(lines: readonly SentLine[], receivedAt: number): string[] {
    const timeOf = (line: SentLine) =>
      line.updated_at === undefined ? receivedAt : Date.parse(line.updated_at);
    return lines.map((line, index) => {
      const outdone = lines.some(
        (other, place) =>
          other.sku === line.sku &&
          other.location_code === line.location_code &&
          (timeOf(other) > timeOf(line) || (timeOf(other) === timeOf(line) && place > index)),
      );
      if (outdone) return 'superseded';
      if (this.parents.has(line.sku)) return 'not_stockable';
      if (!this.stockable.has(line.sku)) return 'unknown_sku';
      if (!this.locations.has(line.location_code)) return 'unknown_location';
      const place = `${line.sku}@${line.location_code}`;
      const level = this.levels.get(place);
      if (level !== undefined && timeOf(line) < level.at) return 'stale';
      const reserved = line.reserved ?? level?.reserved ?? 0;
      this.levels.set(place, { quantity: line.quantity, reserved, at: timeOf(line) });
      return level?.quantity === line.quantity && level.reserved === reserved ? 'unchanged' : 'applied';
    });
  }
}

/** Creates a brand with what the model knows. */
export async function newModelBrand(apps: TestApps) {
  const brand = await apps.newBrand();
  for (const code of ['L', 'M']) await newLocation(brand.client, code);
  await newLocation(brand.client, 'OFF', { is_active: false });
  for (const sku of ['A', 'B']) await newSimple(brand.client, sku);
  await newStockedParent(brand.client, 'P', 2);
  return brand;
}
