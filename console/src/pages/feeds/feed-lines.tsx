import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import {
  countOf,
  type Feed,
  failedLines,
  type LineResult,
  lineResults,
  toneOfResult,
} from './line-results.ts';
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
      <FilterBar>
        <ChoiceFilter label={words.filter} name="result" value={result} choices={choices} />
      </FilterBar>
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

type Line = ResponseOf<'listFeedLines'>['data'][number];

/** Results of lines whose SKU and location exist, so that their level can be explained. */
const explained: readonly (string | null)[] = ['applied', 'unchanged', 'stale', 'superseded'];

const otherColumns: readonly Column<Line>[] = [
  {
    header: words.location,
    isExtra: true,
    cell: ({ location_code }) => <span className="mono">{location_code}</span>,
  },
  { header: words.quantity, align: 'end', cell: ({ quantity }) => figure(quantity) },
  { header: words.updated, isExtra: true, cell: ({ updated_at }) => <Moment at={updated_at} /> },
  {
    header: words.result,
    cell: ({ result }) => {
      const known = (result ?? 'undecided') as LineResult;
      return <StateMark tone={toneOfResult[known] ?? 'off'}>{messages.results[known] ?? result}</StateMark>;
    },
  },
  {
    header: words.reason,
    isExtra: true,
    cell: ({ message }) => message && <span data-wraps>{message}</span>,
  },
];

/** Returns the columns of a feed's lines. The SKU leads to the explanation of its level as of the end of the feed. */
function lineColumnsOf({ brand_id, finished_at }: Feed): readonly Column<Line>[] {
  return [
    { header: words.number, align: 'end', cell: ({ line }) => figure(line + 1) },
    {
      header: words.sku,
      cell: ({ sku, location_code, result }) =>
        explained.includes(result) ? (
          <Link
            to="/brands/$brandId/explain"
            params={{ brandId: String(brand_id) }}
            search={{ sku, location: location_code, at: finished_at ?? undefined }}
            className="mono"
            title={words.explain(sku)}
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
