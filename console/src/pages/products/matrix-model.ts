import type { ResponseOf } from '../../api/call.ts';
import type { CellPlace, MatrixCell, MatrixColumn } from '../../parts/matrix-window.ts';
import { figure } from '../../parts/messages.ts';
import { type Availability, type Level, type RuleContext, ruleOf } from './availability-rule.ts';
import { messages } from './messages.ts';

type Stock = ResponseOf<'getProductStock'>;
export type Location = ResponseOf<'listStockLocations'>['data'][number];

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
  readonly rows: readonly StockRow[];
  readonly columns: readonly MatrixColumn[];
}

interface Sources {
  readonly stock: Stock;
  readonly isActive: boolean;
  readonly locations: ReadonlyMap<string, Location>;
  readonly axisCodes: readonly string[];
  /** The price of the product and of each variant, by id. */
  readonly prices: ReadonlyMap<string, string>;
  readonly context: RuleContext;
}

/**
 * Builds the matrix of a product. Its columns are the locations at which the product or a variant has a level, by code. The
 * product has a row if it has no variants, or stock itself.
 */
export function matrixOf({ stock, isActive, locations, axisCodes, prices, context }: Sources): StockMatrix {
  const groups = [stock.levels, ...stock.variants.map(({ levels }) => levels)];
  const codes = [...new Set(groups.flatMap((levels) => levels.map(({ location }) => location)))].sort();
  const indexes = new Map(codes.map((code, index) => [code, index]));
  const placed = (levels: readonly Level[]) => {
    const row = new Array<Level | undefined>(codes.length).fill(undefined);
    for (const level of levels) row[indexes.get(level.location) ?? 0] = level;
    return row;
  };
  const own: StockRow = {
    key: stock.product_tu_id,
    sku: stock.sku,
    values: '',
    isActive,
    availability: stock.has_variants ? { status: null, quantity: 0 } : stock.availability,
    rule: stock.has_variants ? messages.matrix.ownStock : ruleOf(stock.availability, stock.levels, context),
    price: prices.get(stock.product_tu_id) ?? '',
    levels: placed(stock.levels),
  };
  const variants = stock.variants.map((variant) => ({
    key: variant.tu_id,
    sku: variant.sku,
    values: axisCodes.map((code) => variant.axis_values[code] ?? '–').join(' / '),
    isActive: variant.is_active,
    availability: variant.availability,
    rule: ruleOf(variant.availability, variant.levels, context),
    price: prices.get(variant.tu_id) ?? '',
    levels: placed(variant.levels),
  }));
  return {
    rows: [...(stock.has_variants && stock.levels.length === 0 ? [] : [own]), ...variants],
    columns: codes.map((code) => columnOf(code, locations.get(code))),
  };
}

function columnOf(code: string, location: Location | undefined): MatrixColumn {
  const isOff = location?.is_active === false;
  const name = location === undefined || location.name === code ? code : `${code}, ${location.name}`;
  return {
    key: code,
    label: code,
    title: isOff ? `${name}, ${messages.matrix.inactiveLocation}` : name,
    tone: isOff ? 'off' : undefined,
  };
}

/** Returns the content of a cell. Stale stock has a mark next to its quantity. */
export function cellOf({ rows, columns }: StockMatrix, { row, column }: CellPlace): MatrixCell {
  const line = rows[row];
  const place = columns[column];
  const level = line?.levels[column];
  const label = `${line?.sku}, ${place?.label}: ${describe(level)}`;
  if (level === undefined) return { text: '·', label, tone: 'off' };
  const isStale = line?.availability.status === 'stale' && place?.tone !== 'off';
  return {
    text: `${isStale ? '◐ ' : ''}${figure(level.quantity)}`,
    label: isStale ? `${label}, ${messages.statuses.stale}` : label,
    tone: place?.tone ?? (isStale ? 'warn' : undefined),
  };
}

/** Returns a level in words. */
export function describe(level: Level | undefined): string {
  if (level === undefined) return messages.matrix.noLevel;
  const { quantity, reserved, available } = level;
  return messages.matrix.level(figure(quantity), figure(reserved), figure(available));
}
