import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark, WorkState } from '../../parts/state-mark.tsx';
import { durationOf, progressOf } from './feed-progress.ts';
import { type Feed, failedLines } from './line-results.ts';
import { messages } from './messages.ts';

export const feedColumns: readonly Column<Feed>[] = [
  {
    header: messages.batch,
    cell: ({ brand_id, feed_id, batch_id }) => (
      <Link
        to="/brands/$brandId/feeds/$feedId"
        params={{ brandId: String(brand_id), feedId: feed_id }}
        className="mono cut"
        title={batch_id}
        data-row-link
      >
        {batch_id}
      </Link>
    ),
  },
  { header: messages.status, cell: ({ status }) => <WorkState state={status} /> },
  { header: messages.source, isExtra: true, cell: ({ source }) => source },
  { header: messages.received, isExtra: true, cell: ({ received_at }) => <Moment at={received_at} /> },
  {
    header: messages.lines,
    align: 'end',
    isExtra: true,
    cell: ({ received_lines }) => figure(received_lines),
  },
  {
    header: messages.feed.progress,
    isExtra: true,
    cell: (feed) => (feed.finished_at === null ? progressOf(feed) : rateOf(feed)),
  },
  { header: messages.duration, align: 'end', isExtra: true, cell: (feed) => durationOf(feed) },
  {
    header: messages.failedLines,
    align: 'end',
    cell: (feed) => {
      const failed = failedLines(feed);
      return failed === 0 ? '0' : <StateMark tone="bad">{figure(failed)}</StateMark>;
    },
  },
];

/** Returns the columns of a list of several brands. */
export function columnsWithBrand(nameOf: (brandId: number) => string): readonly Column<Feed>[] {
  const brand: Column<Feed> = {
    header: messages.brand,
    cell: ({ brand_id }) => (
      <Link to="/brands/$brandId/feeds" params={{ brandId: String(brand_id) }}>
        {nameOf(brand_id)}
      </Link>
    ),
  };
  return feedColumns.toSpliced(1, 0, brand);
}

function rateOf({ lines_per_second: rate }: Feed): string {
  return rate === null ? '' : messages.feed.rate(rate);
}
