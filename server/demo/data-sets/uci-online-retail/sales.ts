import { type CsvRow, cellOf, readCsvAs } from '../../data-files.ts';
import { DemoError } from '../../demo-error.ts';

/** A row of the file: a sale, or with a negative quantity a return or write-off. */
export interface Sale {
  readonly sku: string;
  /** The first title of a stock code that is not blank, unchanged. */
  readonly description: string;
  readonly quantity: number;
  readonly price: number;
  /** ISO 8601. The file has no time zone; its times are read as UTC. */
  readonly soldAt: string;
}

/** A stock code with the data of its rows. */
export interface Article {
  readonly sku: string;
  readonly title: string;
  /** The first price above 0; 0 if there is none. */
  readonly price: number;
  /** The stock at the start, so that it never becomes negative: at the lowest point it is 0. */
  readonly openingStock: number;
}

/** The rows in file order, which is chronological; at most the given number, null = all. */
export async function readSales(path: string, maxRows: number | null = null): Promise<Sale[]> {
  const texts = new Map<string, string>();
  const kept = (text: string) => {
    const first = texts.get(text);
    if (first === undefined) texts.set(text, text);
    return first ?? text;
  };
  return readCsvAs(path, maxRows, (row) => saleOf(row, kept));
}

/** `kept` returns the first equal string, so that each is in memory once. */
function saleOf(row: CsvRow, kept: (text: string) => string): Sale {
  const cell = (name: string) => cellOf(row, name, 'online-retail.csv.gz');
  const sku = cell('StockCode');
  // A SKU is the stock code, character by character; white space is allowed inside only [platform-34].
  if (sku !== sku.trim()) throw new DemoError(`The stock code '${sku}' begins or ends with white space.`);
  return {
    sku: kept(sku),
    description: kept(row['Description'] ?? ''),
    quantity: Number(cell('Quantity')),
    price: Number(cell('UnitPrice')),
    soldAt: kept(`${cell('InvoiceDate').replace(' ', 'T')}Z`),
  };
}

/** The stock codes in the order in which they first occur. Two that differ only by case are two. */
export function articlesOf(sales: readonly Sale[]): Article[] {
  const articles = new Map<string, { sku: string; title: string; price: number; openingStock: number }>();
  const sold = new Map<string, number>();
  for (const { sku, description, quantity, price } of sales) {
    const article = articles.get(sku) ?? { sku, title: '', price: 0, openingStock: 0 };
    articles.set(sku, article);
    if (article.title === '' && description.trim() !== '') article.title = description;
    if (article.price === 0 && price > 0) article.price = price;
    const soldNow = (sold.get(sku) ?? 0) + quantity;
    sold.set(sku, soldNow);
    article.openingStock = Math.max(article.openingStock, soldNow);
  }
  return [...articles.values()].map((article) => ({ ...article, title: article.title || article.sku }));
}

/** The stock codes that are equal to another except for case, grouped together. */
export function caseTwins(articles: readonly Article[]): Article[] {
  const groups = Map.groupBy(articles, ({ sku }) => sku.toLowerCase());
  return [...groups.values()].filter((group) => group.length > 1).flat();
}
