import { InputError } from '../../errors.ts';
import { cellOf, type ShopRow } from './shop.ts';

const ownColumns = ['sku', 'identifier', 'uuid', 'code', 'family', 'family_variant', 'parent', 'enabled'];

/** The rows of Akeneo's exports by their kind, which shows by their columns. */
export class AkeneoFiles {
  readonly products: ShopRow[] = [];
  /** The product models by their code. */
  readonly models = new Map<string, ShopRow>();
  /** The axes of a family variant, by its code. */
  readonly axes = new Map<string, readonly string[]>();
  /** Labels of attributes, and of options as `attribute: option`. */
  readonly labels = new Map<string, string>();

  constructor(rows: readonly ShopRow[]) {
    for (const row of rows) this.#sort(row);
  }

  #sort(row: ShopRow): void {
    const code = cellOf(row, 'code');
    const axes = [...row.cells].filter(([column]) => /^variant-axes_\d$/.test(column));
    if (axes.length > 0)
      this.axes.set(
        code,
        axes.flatMap(([, names]) => names.split(',')),
      );
    else if (code !== '' && cellOf(row, 'family_variant', 'parent') !== '') this.models.set(code, row);
    else if (code !== '' && cellOf(row, 'attribute') !== '')
      this.labels.set(`${cellOf(row, 'attribute')}: ${code}`, labelOf(row));
    else if (code !== '' && cellOf(row, 'type') !== '') this.labels.set(code, labelOf(row));
    else this.products.push(row);
  }

  /** Returns the models of a product, the nearest one first. @throws InputError if one is missing */
  parentsOf(row: ShopRow, levels = 2): ShopRow[] {
    const code = cellOf(row, 'parent');
    if (code === '') return [];
    const parent = this.models.get(code);
    const place = `${row.file}:${row.line}`;
    if (levels === 0) throw new InputError(`${place}: it has more than two levels of product models.`);
    if (parent === undefined)
      throw new InputError(`${place}: the product model ${code} is in none of the files. Add its export.`);
    return [parent, ...this.parentsOf(parent, levels - 1)];
  }

  /** Returns the currency of the prices in lower case; null without prices. @throws InputError for several */
  currency(wanted: string | undefined): string | null {
    if (wanted !== undefined) return wanted.toLowerCase();
    const columns = this.#columns().filter((column) => /^price-[a-z]{3}$/.test(column));
    const [first = null, ...others] = new Set(columns.map((column) => column.slice('price-'.length)));
    if (others.length > 0)
      throw new InputError(
        `The prices are in ${[first, ...others].join(', ').toUpperCase()}. Choose one: --currency ${first?.toUpperCase()}.`,
      );
    return first;
  }

  /** Returns the columns that have values and are neither axes nor among the attributes that are read. */
  otherColumns(attributes: readonly string[]): string[] {
    const axes = [...this.axes.values()].flat().map((axis) => axis.toLowerCase());
    const read = new Set([...ownColumns, ...attributes, ...axes, ...axes.map((axis) => `${axis}-unit`)]);
    return this.#columns().filter((column) => !read.has(column) && !read.has(column.split('-')[0] ?? ''));
  }

  #columns(): string[] {
    return [...this.products, ...this.models.values()].flatMap(({ cells }) => [...cells.keys()]);
  }
}

function labelOf(row: ShopRow): string {
  const label = [...row.cells].find(([column]) => column.startsWith('label-'));
  return label?.[1] ?? cellOf(row, 'code');
}
