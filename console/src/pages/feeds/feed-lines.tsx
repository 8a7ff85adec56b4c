import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { figure } from '../../parts/messages.ts';
import { PagedTable } from '../../parts/paged-table.tsx';
import { Segments } from '../../parts/segments.tsx';
import { lineColumnsOf } from './line-columns.tsx';
import { countOf, type Feed, failedLines, type LineResult, lineResults } from './line-results.ts';
import { messages } from './messages.ts';

interface Props {
  readonly feed: Feed;
  readonly lines: UseQueryResult<ResponseOf<'listFeedLines'>, Error>;
  /** `failed`: every result of a failed line. undefined: all lines. */
  readonly result: LineResult | 'failed' | undefined;
}

const words = messages.line;

/** The lines of a feed by result, with the number of lines of each result. */
export function FeedLines({ feed, lines, result }: Props) {
  const { brand_id, finished_at } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns depend on nothing else of the feed
  const columns = useMemo(() => lineColumnsOf(feed), [brand_id, finished_at]);
  const failed = failedLines(feed);
  const occurred = lineResults.filter((each) => countOf(feed, each) > 0 || each === result);
  const choices = [
    { label: `${words.all} ${figure(feed.received_lines)}`, value: undefined },
    ...(failed > 0 || result === 'failed'
      ? [{ label: `${words.failed} ${figure(failed)}`, value: 'failed' }]
      : []),
    ...occurred.map((each) => ({
      label: `${messages.results[each]} ${figure(countOf(feed, each))}`,
      value: each,
    })),
  ];
  return (
    <section className="section" aria-labelledby="lines">
      <h2 id="lines">{words.title}</h2>
      <Segments
        label={words.filter}
        choices={choices.map(({ label, value }) => ({
          label,
          search: { result: value },
          isCurrent: value === result,
        }))}
      />
      <PagedTable
        query={lines}
        caption={words.table}
        columns={columns}
        rowKey={({ line }) => String(line)}
        empty={<EmptyNote title={lines.data?.dropped_at ? words.dropped : words.none} />}
      />
    </section>
  );
}
