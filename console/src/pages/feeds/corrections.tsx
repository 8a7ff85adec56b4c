import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { csvRecords } from '../../../../client/src/feeds/csv.ts';
import { addressOf } from '../../api/call.ts';
import { send } from '../../api/send.ts';
import { useChange } from '../../api/use-api.ts';
import { Form } from '../../parts/form.tsx';
import { FormField } from '../../parts/form-field.tsx';
import { inPieces } from '../../parts/in-pieces.ts';
import { counted } from '../../parts/messages.ts';
import { csvRow, saveFile } from '../../parts/save-file.ts';
import { toast } from '../../parts/toast.ts';
import { numberColumn, type Part, partsOf, readCorrections } from './corrected-lines.ts';
import { type Feed, failuresOf } from './line-results.ts';

/** A field for the corrected CSV of the failed lines: what it has is said before it is sent, in parts that the server takes. */
export function CorrectionForm({ feed }: { readonly feed: Feed }) {
  const [read, setRead] = useState<readonly Part[] | Error | null>(null);
  /** The part of the file that was read; null: none is being read. */
  const [progress, setProgress] = useState<number | null>(null);
  const reading = useRef(new AbortController());
  /** Parts that are queued: what is sent again after a failure begins behind them. */
  const [sent, setSent] = useState(0);
  const isSending = useRef(false);
  useEffect(() => () => reading.current.abort(), []);
  const correct = useChange('correctFeed');
  const navigate = useNavigate();
  const path = [feed.brand_id, feed.feed_id] as const;
  const parts = read instanceof Error || read === null ? [] : read.slice(sent);
  const lines = sumOf(parts, (part) => part.lines.length);

  /** Returns the last feed; null: a part was refused, and those behind it were not sent. */
  async function sendParts(): Promise<string | null> {
    let last: string | null = null;
    for (const body of parts) {
      const created = await correct.mutateAsync({ path, body }).catch(() => null);
      if (created === null) return null;
      last = created.feed_id;
      setSent((before) => before + 1);
    }
    return last;
  }

  async function choose(file: File | undefined): Promise<void> {
    reading.current.abort();
    reading.current = new AbortController();
    const { signal } = reading.current;
    correct.reset();
    setRead(null);
    setSent(0);
    setProgress(null);
    if (file === undefined) return;
    const options = { signal, onProgress: setProgress };
    const found = await readCorrections(await file.text(), options).then(partsOf, (error: Error) => error);
    // Another file was chosen meanwhile, or the page was left.
    if (signal.aborted) return;
    setProgress(null);
    setRead(found);
  }

  async function submit(): Promise<void> {
    if (isSending.current) return;
    isSending.current = true;
    const last = await sendParts().finally(() => {
      isSending.current = false;
    });
    if (last === null) return;
    setRead(null);
    setSent(0);
    const count = sent + parts.length;
    toast(`The corrected lines are queued in ${count === 1 ? 'this new feed' : `${count} new feeds`}.`);
    const params = { brandId: String(feed.brand_id), feedId: last };
    await navigate({ to: '/brands/$brandId/feeds/$feedId', params, ignoreBlocker: true });
  }

  return (
    <Form
      onSubmit={() => void submit()}
      isChanged={lines > 0}
      problem={correct.error}
      action={lines > 0 ? `Send ${counted(lines, 'corrected line', 'corrected lines')}` : null}
      isDisabled={correct.isPending}
      more={<span className="soft">{lines > 0 && previewText(parts)}</span>}
    >
      <FormField
        label="Corrected lines, CSV"
        hint="The file of the failed lines, corrected. Its numbers say which lines are dealt with; an empty time is now. A large file is sent as several feeds."
        faults={read instanceof Error ? [read.message] : []}
        type="file"
        accept=".csv,text/csv"
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      {progress !== null && <progress value={progress} aria-label="Part of the file that was read" />}
    </Form>
  );
}

const sumOf = (parts: readonly Part[], of: (part: Part) => number) =>
  parts.reduce((sum, part) => sum + of(part), 0);

/** Saves the failed lines that are left as CSV, numbered as on the page: from 1. */
export async function saveFailedLines(feed: Feed): Promise<void> {
  const query = { result: failuresOf(feed).join(','), left: true };
  const response = await send(addressOf('getFeedLinesCsv', { path: [feed.brand_id, feed.feed_id], query }));
  const rows: string[] = [];
  for await (const { values } of csvRecords(inPieces(await response.text()), ',')) {
    const [line = '', ...others] = values;
    rows.push(csvRow([rows.length === 0 ? numberColumn : String(Number(line) + 1), ...others]));
  }
  saveFile(rows, `${feed.feed_id}-failed.csv`, 'text/csv');
}

function previewText(parts: readonly Part[]): string {
  const corrected = sumOf(parts, ({ corrects }) => corrects?.length ?? 0);
  const feeds = parts.length > 1 ? ` They are sent as ${parts.length} feeds.` : '';
  return corrected === 0
    ? `None has a number: lines with another SKU or location stay among the failed ones.${feeds}`
    : `${counted(corrected, 'failed line of this feed is', 'failed lines of this feed are')} dealt with by ${corrected === 1 ? 'it' : 'them'}.${feeds}`;
}
