import type { ResponseOf } from '../../api/call.ts';
import { figure } from '../../parts/messages.ts';
import type { Tone } from '../../parts/state-mark.tsx';
import { type Availability, type Level, ruleOf } from './availability.tsx';
import { priceOf } from './price.ts';

type Location = ResponseOf<'listStockLocations'>['data'][number];

/** The indexes of a cell. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** A row of the matrix: a variant, or the product's own stock. */
export interface StockRow {
  /** The id of the variant, or of the product. */
  readonly key: string;
  readonly sku: string;
  /** The values of the axes, in the order of the product; an empty string for the product itself. */
  readonly values: string;
  readonly isActive: boolean;
  readonly availability: Availability;
  readonly rule: string;
  readonly price: string;
  /** The level of each column; undefined: none. */
  readonly levels: readonly (Level | undefined)[];
}

export interface StockMatrix {
  /** The rule of the product's availability. */
  readonly rule: string;
  /** Up to this available quantity, stock is low. */
  readonly threshold: number;
  readonly rows: readonly StockRow[];
  /** Locations; the stock of those that are off does not count. */
  readonly columns: readonly { readonly code: string; readonly title: string; readonly isOff: boolean }[];
}

/**
 * Builds the matrix of a product. Its columns are the locations at which the product or a variant has a level, by code. The
 * product has a row if it has no variants, or stock itself.
 */
export function matrixOf(
  product: ResponseOf<'getProduct'>,
  stock: ResponseOf<'getProductStock'>,
  settings: ResponseOf<'getBrand'>['settings'],
  all: readonly Location[],
): StockMatrix {
  const locations = new Map(all.map((location) => [location.external_code, location]));
  const groups = [stock.levels, ...stock.variants.map(({ levels }) => levels)];
  const codes = [...new Set(groups.flatMap((levels) => levels.map(({ location }) => location)))].sort();
  const rule = (availability: Availability, levels: readonly Level[]) => {
    const counted = levels.filter(({ location }) => locations.get(location)?.is_active !== false);
    return ruleOf(availability, counted, settings);
  };
  const placed = (levels: readonly Level[]) => {
    const byCode = new Map(levels.map((level) => [level.location, level]));
    return codes.map((code) => byCode.get(code));
  };
  const own: StockRow = {
    key: stock.product_tu_id,
    sku: stock.sku,
    values: '',
    isActive: product.is_active,
    availability: stock.has_variants ? { status: null, quantity: 0 } : stock.availability,
    rule: stock.has_variants ? 'own stock, not counted' : rule(stock.availability, stock.levels),
    price: priceOf(product.price_value, product.price_currency),
    levels: placed(stock.levels),
  };
  const prices = new Map(
    product.variants.map(({ tu_id, price }) => [tu_id, priceOf(price.value, price.currency)]),
  );
  const variants = stock.variants.map((variant) => ({
    key: variant.tu_id,
    sku: variant.sku,
    values: product.axes.map(({ code }) => variant.axis_values[code] ?? '–').join(' / '),
    isActive: variant.is_active,
    availability: variant.availability,
    rule: rule(variant.availability, variant.levels),
    price: prices.get(variant.tu_id) ?? '',
    levels: placed(variant.levels),
  }));
  const counted = stock.has_variants
    ? stock.variants.flatMap(({ is_active, levels }) => (is_active ? levels : []))
    : stock.levels;
  return {
    rule: rule(stock.availability, counted),
    threshold: settings.low_stock_threshold,
    rows: [...(stock.has_variants && stock.levels.length === 0 ? [] : [own]), ...variants],
    columns: codes.map((code) => {
      const { name = code, is_active = true } = locations.get(code) ?? {};
      const title = name === code ? code : `${code}, ${name}`;
      return {
        code,
        title: is_active ? title : `${title}, inactive: not counted`,
        isOff: !is_active,
      };
    }),
  };
}

/** Returns the content of a cell, and everything about it in words. Stale stock has a mark next to its quantity. */
export function cellOf(
  { rows, columns, threshold }: StockMatrix,
  { row, column }: CellPlace,
): { readonly text: string; readonly label: string; readonly tone?: Tone | undefined } {
  const line = rows[row];
  const place = columns[column];
  const level = line?.levels[column];
  const label = `${line?.sku}, ${place?.code}: ${describe(level)}`;
  if (level === undefined) return { text: '·', label, tone: 'off' };
  const text = figure(level.quantity);
  if (place?.isOff) return { text, label, tone: 'off' };
  if (line?.availability.status === 'stale')
    return { text: `◐ ${text}`, label: `${label}, stale`, tone: 'warn' };
  if (level.available <= 0) return { text, label: `${label}, out of stock`, tone: 'bad' };
  return level.available > threshold ? { text, label } : { text, label: `${label}, low`, tone: 'warn' };
}

/** Returns a level in words. */
export function describe(level: Level | undefined): string {
  if (level === undefined) return 'no level';
  const { quantity, reserved, available } = level;
  return `${figure(quantity)}, ${figure(reserved)} reserved, ${figure(available)} available`;
}
