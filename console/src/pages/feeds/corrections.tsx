import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { csvLines, csvRecords } from '../../../../client/src/feeds/csv.ts';
import { addressOf, type InputOf } from '../../api/call.ts';
import { send } from '../../api/send.ts';
import { useChange } from '../../api/use-api.ts';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { counted } from '../../parts/messages.ts';
import { csvRow, saveFile } from '../../parts/save-file.ts';
import { toast } from '../../parts/toast.ts';
import { type Feed, failuresOf } from './line-results.ts';

type Corrections = InputOf<'correctFeed'>['body'];

/** A field for the corrected CSV of the failed lines: what it has is said before it is sent. */
export function CorrectionForm({ feed }: { readonly feed: Feed }) {
  const [read, setRead] = useState<Corrections | Error | null>(null);
  const correct = useChange('correctFeed');
  const navigate = useNavigate();
  const path = [feed.brand_id, feed.feed_id] as const;
  const body = read instanceof Error ? null : read;

  async function choose(file: File | undefined): Promise<void> {
    correct.reset();
    setRead(null);
    if (file !== undefined) setRead(await readCorrections(await file.text()).catch((error: Error) => error));
  }

  function submit(): void {
    if (body === null) return;
    correct.mutate(
      { path, body },
      {
        onSuccess: ({ feed_id }) => {
          setRead(null);
          toast('The corrected lines are queued in this new feed.');
          const params = { brandId: String(feed.brand_id), feedId: feed_id };
          void navigate({ to: '/brands/$brandId/feeds/$feedId', params, ignoreBlocker: true });
        },
      },
    );
  }

  return (
    <Form
      onSubmit={submit}
      isChanged={body !== null && !correct.isSuccess}
      problem={correct.error}
      action={body && `Send ${counted(body.lines.length, 'corrected line', 'corrected lines')}`}
      isDisabled={correct.isPending}
      more={<span className="soft">{previewText(body?.lines.length ?? 0, body?.corrects?.length ?? 0)}</span>}
    >
      <FormField
        label="Corrected lines, CSV"
        hint="The file of the failed lines, corrected. Its numbers say which lines are dealt with; an empty time is now. At most some 8,000 lines."
        faults={read instanceof Error ? [read.message] : []}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => void choose(target.files?.[0])}
      />
    </Form>
  );
}

/** Saves the failed lines as CSV, numbered as on the page: from 1. */
export async function saveFailedLines(feed: Feed): Promise<void> {
  const query = { result: failuresOf(feed).join(',') };
  const response = await send(addressOf('getFeedLinesCsv', { path: [feed.brand_id, feed.feed_id], query }));
  const rows: string[] = [];
  for await (const { values } of csvRecords(await response.text(), ',')) {
    const [line = '', ...others] = values;
    rows.push(csvRow([rows.length === 0 ? numberColumn : String(Number(line) + 1), ...others]));
  }
  saveFile(rows.join(''), `${feed.feed_id}-failed.csv`, 'text/csv');
}

/** The number of a line, from 1. The API's own files have `line`, from 0. */
const numberColumn = 'number';

/**
 * Reads the lines of a CSV, and the lines of the feed that they replace.
 * @throws BrandportError with the line of the file
 */
async function readCorrections(csv: string): Promise<Corrections> {
  const lines = [];
  const delimiter = delimiterOf(csv);
  for await (const line of csvLines(csv, { delimiter }))
    lines.push({ ...line, sku: plain(line.sku), location_code: plain(line.location_code) });
  const corrects = new Set<number>();
  let [column, first] = [-1, 0];
  for await (const { line, values } of csvRecords(csv, delimiter)) {
    if (column === -1) {
      column = values.findIndex((name) => name.trim() === numberColumn || name.trim() === 'line');
      if (column === -1) break;
      first = values[column]?.trim() === numberColumn ? 1 : 0;
    } else if (/^\d+$/.test(values[column]?.trim() ?? '')) corrects.add(Number(values[column]) - first);
    else if (values[column]?.trim() !== '') throw new Error(`Line ${line} of the CSV: the number is none.`);
  }
  if (lines.length === 0) throw new Error('The file has no lines.');
  return { lines, corrects: [...corrects] };
}

/** Returns the character between the names of the first line: spreadsheets of many countries write `;`. */
function delimiterOf(csv: string): string {
  const [names = ''] = csv.split(/[\r\n]/, 1);
  return [',', ';', '\t'].reduce((most, each) =>
    names.split(each).length > names.split(most).length ? each : most,
  );
}

/** Removes the apostrophe that files have before what a spreadsheet would compute. */
function plain(cell: string): string {
  return cell.replace(/^'(?=[=+@-])/, '');
}

function previewText(lines: number, corrected: number): string {
  return corrected === 0
    ? `None has a number: lines with another SKU or location stay among the failed ones.`
    : `${counted(corrected, 'failed line of this feed is', 'failed lines of this feed are')} dealt with by ${lines === 1 ? 'it' : 'them'}.`;
}
