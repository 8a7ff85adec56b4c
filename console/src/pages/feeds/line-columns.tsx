import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Feed, type LineResult, toneOfResult } from './line-results.ts';
import { messages } from './messages.ts';

type Line = ResponseOf<'listFeedLines'>['data'][number];

const words = messages.line;

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
  { header: words.reason, isExtra: true, cell: ({ message }) => <span data-wraps>{message}</span> },
];

/** Returns the columns of a feed's lines. The SKU leads to the explanation of its level as of the end of the feed. */
export function lineColumnsOf({ brand_id, finished_at }: Feed): readonly Column<Line>[] {
  return [
    { header: words.number, align: 'end', cell: ({ line }) => figure(line) },
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
