import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type ListPage, pagesAround, useApi } from '../api/use-api.ts';
import { Button } from './button.tsx';
import type { Column } from './column.tsx';
import { figure } from './messages.ts';
import { csvRow, saveFile } from './save-file.ts';
import { toast } from './toast.ts';

interface Props<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** The page that is shown. */
  readonly page: ListPage<Row>;
}

const maxRows = 50_000;

/** Saves all rows that match the filters of a list, page by page, and says how far it is. */
export function CsvButton<Row>({ caption, columns, rowKey, page }: Props<Row>) {
  const { brandId } = useParams({ strict: false });
  const brand = useApi('getBrand', { path: [brandId ?? 0] }, { isEnabled: brandId !== undefined });
  const [count, setCount] = useState<number | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  async function save(): Promise<void> {
    abort.current = new AbortController();
    const { signal } = abort.current;
    setCount(0);
    // By key: a row that moves to a later page meanwhile is written once.
    const written = new Set<string>();
    const saved = columns.filter(({ text, at }) => text !== undefined || at !== undefined);
    // The browser keeps pieces outside of the page's memory, which the rows of a whole list would fill.
    const pieces = [new Blob([csvRow(saved.map(({ header }) => header))])];
    try {
      for await (const { data } of pagesAround(page, signal)) {
        const rows = data.filter((row) => !written.has(rowKey(row))).slice(0, maxRows - written.size);
        for (const row of rows) written.add(rowKey(row));
        pieces.push(new Blob(rows.map((row) => csvRow(saved.map(({ text, at }) => (text ?? at)?.(row))))));
        setCount(written.size);
        if (written.size === maxRows) break;
      }
      // The list may have been there before the name.
      const owner = brandId === undefined ? undefined : (brand.data ?? (await brand.refetch()).data);
      const name = [owner?.name, caption].filter((part) => part !== undefined).join(' ');
      saveFile(pieces, `${fileName(name)}.csv`, 'text/csv');
      if (written.size < page.meta.total)
        toast(
          `The file has ${figure(written.size)} of ${figure(page.meta.total)} rows. Filter the list for the others.`,
        );
    } catch (error) {
      if (!signal.aborted) toast(error instanceof Error ? error.message : String(error));
    } finally {
      setCount(null);
    }
  }

  if (count === null)
    return (
      <Button kind="plain" title="Save all rows that match the filters" onClick={() => void save()}>
        CSV
      </Button>
    );
  return (
    <span className="form-row">
      <progress value={count} max={Math.min(page.meta.total, maxRows)} aria-label="Rows read" />
      <span className="soft">
        {figure(count)} of {figure(Math.min(page.meta.total, maxRows))} rows
      </span>
      <Button kind="plain" onClick={() => abort.current.abort()}>
        Cancel
      </Button>
    </span>
  );
}

/** Returns a name for a file: letters and digits of any script, with `-` between the words. */
function fileName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 120);
}
