import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type DatasetDay, dayStateOf, toneOfDay } from './day-state.ts';
import { messages } from './messages.ts';

type Dataset = keyof typeof messages.rows;

const datasets = Object.keys(messages.rows) as Dataset[];

export const dayColumns: readonly Column<DatasetDay>[] = [
  { header: messages.date, cell: ({ date }) => <span className="mono">{date}</span> },
  {
    header: messages.state,
    cell: (day) => {
      const state = dayStateOf(day);
      return <StateMark tone={toneOfDay[state]}>{messages.states[state]}</StateMark>;
    },
  },
  {
    header: messages.lateEvents,
    align: 'end',
    cell: ({ late_events }) => (late_events === 0 ? <Nothing /> : figure(late_events)),
  },
  ...datasets.map(
    (dataset): Column<DatasetDay> => ({
      header: messages.rows[dataset],
      align: 'end',
      isExtra: true,
      cell: ({ rows, revisions }) =>
        rows === null ? (
          <Nothing />
        ) : (
          <span title={`${messages.revision} ${revisions?.[dataset]}`}>{figure(rows[dataset])}</span>
        ),
    }),
  ),
  { header: messages.refreshed, cell: ({ refreshed_at }) => <Moment at={refreshed_at} /> },
];

function Nothing() {
  return <span className="soft">–</span>;
}
