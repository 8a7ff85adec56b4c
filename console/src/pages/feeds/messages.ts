import { counted, figure } from '../../parts/messages.ts';
import { utcOf } from '../../parts/moment.tsx';

/** The words of the pages about stock feeds. */
export const messages = {
  title: 'Feeds',
  lead: 'Stock that integrations sent. The feeds of a brand are applied one after the other.',
  allTitle: 'Feeds of all brands',
  allLead:
    'Stock that integrations of all brands sent. The feeds of a brand are applied one after the other.',
  table: 'Stock feeds',
  brand: 'Brand',
  duration: 'Duration',
  batch: 'Batch id',
  source: 'Source',
  status: 'Status',
  withFailedLines: 'With failed lines',
  statuses: {
    queued: 'Queued',
    processing: 'Processing',
    completed: 'Completed',
    failed: 'Failed',
  },
  received: 'Received',
  lines: 'Lines',
  failedLines: 'Failed lines',
  empty: 'No feed yet',
  emptyText: 'An integration sends feeds with a key that has the scope catalog.stock:ingest.',
  noneMatch: 'No feed matches the filters',
  feed: {
    tabTitle: (batchId: string) => `Feed ${batchId}`,
    id: 'Feed id',
    waiting: 'Waits for',
    waitsFor: ({ for: what, since, attempts, holder }: Waiting) =>
      [
        what === 'lock' ? 'a lock of the database' : what === 'pause' ? 'its next attempt' : 'its turn',
        `since ${utcOf(since)}`,
        ...(attempts > 0 ? [counted(attempts, 'failed attempt', 'failed attempts')] : []),
        ...(holder === null
          ? []
          : [
              `held by the session with pid ${holder.pid}${holder.since === null ? '' : ` since ${utcOf(holder.since)}`}`,
            ]),
      ].join(', '),
    finished: 'Finished',
    unfinished: 'not yet',
    progress: 'Progress',
    progressOf: (done: number, all: number) => `${figure(done)} of ${counted(all, 'line', 'lines')}`,
    place: (position: number) => (position === 1 ? 'next in the queue' : `place ${position} in the queue`),
    rate: (rate: number) => `${figure(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate))} lines/s`,
    submittedBy: 'Submitted by',
    request: 'Request',
    unknown: 'not recorded',
    message: 'Why it failed',
    requeueOf: 'Sends again lines of',
    requeuedAs: 'Sent again as',
  },
  failed: {
    title: (count: number) => `${counted(count, 'line', 'lines')} failed`,
    none: 'No line failed',
    lead: 'Correct the cause here or in the source, then send these lines again, or send them as a corrected file.',
    sentAgain: (times: number) =>
      times === 1 ? 'These lines were sent again, as' : `These lines were sent again ${times} times, last as`,
    again: 'These lines were sent again before.',
    csv: 'Failed lines as CSV',
    jsonl: 'Failed lines as JSONL',
    requeue: 'Re-queue the failed lines',
    confirmTitle: (count: number) => `Re-queue ${counted(count, 'failed line', 'failed lines')}?`,
    confirmText:
      'A new feed is created with these lines. Each keeps its time: a quantity that was written since is not overwritten.',
    confirm: 'Re-queue them',
    requeued: 'The failed lines are queued in this new feed.',
  },
  corrections: {
    file: 'Corrected lines, CSV',
    hint: 'The file of the failed lines, corrected. Its numbers say which lines are dealt with; an empty time is now. At most some 8,000 lines.',
    preview: (lines: number, corrected: number) =>
      corrected === 0
        ? `None has a number: lines with another SKU or location stay among the failed ones.`
        : `${counted(corrected, 'failed line of this feed is', 'failed lines of this feed are')} dealt with by ${lines === 1 ? 'it' : 'them'}.`,
    send: (lines: number) => `Send ${counted(lines, 'corrected line', 'corrected lines')}`,
    sent: 'The corrected lines are queued in this new feed.',
    empty: 'The file has no lines.',
    noNumber: (line: number) => `Line ${line} of the CSV: the number is none.`,
  },
  line: {
    title: 'Lines',
    table: 'Lines of the feed',
    filter: 'Result',
    failed: 'Failed',
    number: 'Line',
    sku: 'SKU',
    location: 'Location',
    quantity: 'Quantity',
    updated: 'Time in the source',
    result: 'Result',
    reason: 'Reason',
    explain: (sku: string) => `Explain ${sku}`,
    none: 'No line has this result',
    dropped: 'The lines were deleted because they were older than the server keeps them. The totals stay.',
  },
  results: {
    applied: 'applied',
    unchanged: 'unchanged',
    stale: 'stale',
    superseded: 'superseded',
    unknown_sku: 'unknown SKU',
    unknown_location: 'unknown location',
    not_stockable: 'not stockable',
    undecided: 'undecided',
  },
} as const;

interface Waiting {
  readonly for: string;
  readonly since: string;
  readonly attempts: number;
  readonly holder: { readonly pid: number; readonly since: string | null } | null;
}
