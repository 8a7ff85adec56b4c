import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import {
  countOf,
  type Feed,
  failedLines,
  type LineResult,
  lineResults,
  linesLeft,
  toneOfResult,
} from './line-results.ts';

const resultNames = {
  applied: 'applied',
  unchanged: 'unchanged',
  stale: 'stale',
  superseded: 'superseded',
  unknown_sku: 'unknown SKU',
  unknown_location: 'unknown location',
  not_stockable: 'not stockable',
  undecided: 'undecided',
} as const;

interface Props {
  readonly feed: Feed;
  readonly lines: UseQueryResult<ResponseOf<'listFeedLines'>, Error>;
  /** `left`: failed lines that are left; `failed`: every result of a failed line. undefined: all lines. */
  readonly result: LineResult | 'left' | 'failed' | undefined;
}

/** The lines of a feed by result, with the number of lines of each result. */
export function FeedLines({ feed, lines, result }: Props) {
  const { brand_id, finished_at } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns depend on nothing else of the feed
  const columns = useMemo(() => lineColumnsOf(feed), [brand_id, finished_at]);
  const failed = failedLines(feed);
  const occurred = lineResults.filter((each) => countOf(feed, each) > 0 || each === result);
  const left = linesLeft(feed);
  const choices = [
    ...(left > 0 || result === 'left' ? [{ label: `Left ${figure(left)}`, value: 'left' }] : []),
    ...(failed > 0 || result === 'failed' ? [{ label: `Failed ${figure(failed)}`, value: 'failed' }] : []),
    ...occurred.map((each) => ({
      label: `${resultNames[each]} ${figure(countOf(feed, each))}`,
      value: each,
    })),
  ];
  return (
    <section className="section" aria-labelledby="lines">
      <h2 id="lines">Lines</h2>
      <FilterBar>
        <ChoiceFilter label="Result" name="result" value={result} choices={choices} />
      </FilterBar>
      <PagedTable
        query={lines}
        caption="Lines of the feed"
        columns={columns}
        rowKey={({ line }) => String(line)}
        empty={
          <EmptyNote
            title={
              lines.data?.dropped_at
                ? 'The lines were deleted because they were older than the server keeps them. The totals stay.'
                : 'No line has this result'
            }
          />
        }
      />
    </section>
  );
}

export type Line = ResponseOf<'listFeedLines'>['data'][number];

/** Results of lines whose SKU and location exist, so that their level can be explained. */
const explained: readonly (string | null)[] = ['applied', 'unchanged', 'stale', 'superseded'];

const otherColumns: readonly Column<Line>[] = [
  {
    header: 'Location',
    isExtra: true,
    isMono: true,
    text: ({ location_code }) => location_code,
  },
  { header: 'Quantity', align: 'end', phone: 'figure', text: ({ quantity }) => quantity },
  { header: 'Time in the source', isExtra: true, at: ({ updated_at }) => updated_at },
  {
    header: 'Result',
    phone: 'state',
    text: ({ result }) => result,
    cell: ({ result }) => {
      const known = (result ?? 'undecided') as LineResult;
      return <StateMark tone={toneOfResult[known] ?? 'off'}>{resultNames[known] ?? result}</StateMark>;
    },
  },
  {
    header: 'Reason',
    text: ({ message }) => message,
    isExtra: true,
    cell: ({ message }) => message && <span data-wraps>{message}</span>,
  },
];

/** Returns the columns of a feed's lines. The SKU leads to the explanation of its level as of the end of the feed. */
export function lineColumnsOf({
  brand_id,
  finished_at,
}: Pick<Feed, 'brand_id' | 'finished_at'>): readonly Column<Line>[] {
  return [
    { header: 'Line', align: 'end', text: ({ line }) => line + 1 },
    {
      header: 'SKU',
      phone: 'name',
      text: ({ sku }) => sku,
      cell: ({ sku, location_code, result }) =>
        explained.includes(result) ? (
          <Link
            to="/brands/$brandId/explain"
            params={{ brandId: String(brand_id) }}
            search={{ sku, location: location_code, at: finished_at ?? undefined }}
            className="mono"
            title={`Explain ${sku}`}
          >
            {sku}
          </Link>
        ) : (
          <span className="mono">{sku}</span>
        ),
    },
    ...otherColumns,
  ];
}
