import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type LineResult, toneOfResult } from './line-results.ts';
import { messages } from './messages.ts';

type Line = ResponseOf<'listFeedLines'>['data'][number];

const words = messages.line;

export const lineColumns: readonly Column<Line>[] = [
  { id: 'line', header: words.number, align: 'end', cell: ({ line }) => figure(line) },
  { id: 'sku', header: words.sku, cell: ({ sku }) => <span className="mono">{sku}</span> },
  {
    id: 'location',
    header: words.location,
    isExtra: true,
    cell: ({ location_code }) => <span className="mono">{location_code}</span>,
  },
  { id: 'quantity', header: words.quantity, align: 'end', cell: ({ quantity }) => figure(quantity) },
  {
    id: 'updated',
    header: words.updated,
    isExtra: true,
    cell: ({ updated_at }) => <Moment at={updated_at} />,
  },
  {
    id: 'result',
    header: words.result,
    cell: ({ result }) => {
      const known = (result ?? 'undecided') as LineResult;
      return <StateMark tone={toneOfResult[known] ?? 'off'}>{messages.results[known] ?? result}</StateMark>;
    },
  },
  {
    id: 'reason',
    header: words.reason,
    isExtra: true,
    cell: ({ message }) => <span data-wraps>{message}</span>,
  },
];
