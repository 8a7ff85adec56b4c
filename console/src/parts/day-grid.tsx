import { type CSSProperties, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { ScrollFrame } from './scroll-frame.tsx';

export interface GridDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** The shape in the cell. */
  readonly shape: string;
  /** The same in words. */
  readonly label: string;
  readonly tone: string;
  /** The shade of the cell: 0, for nothing, to 4. */
  readonly amount: number;
}

interface Props {
  /** Names the calendar for screen readers. */
  readonly label: string;
  /** From the oldest to the newest, without gaps. */
  readonly days: readonly GridDay[];
  readonly from: string;
  readonly to: string;
  /** `isExtended`: the selection grows from where it began. */
  readonly onSelect: (date: string, isExtended: boolean) => void;
}

const columns = Array.from({ length: 31 }, (_, index) => index + 1);
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** A calendar with a line for each month and a cell for each day. One cell is in the order of tabs; arrows move between them. */
export function DayGrid({ label, days, from, to, onSelect }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const months = [...new Set(days.map(({ date }) => date.slice(0, 7)))];
  const entry = byDate.has(to) ? to : days.at(-1)?.date;

  // On a phone the calendar is wider than the screen; it opens at the selected day.
  useEffect(() => {
    const cell = table.current?.querySelector<HTMLElement>('[tabindex="0"]');
    const frame = table.current?.parentElement;
    if (cell && frame) frame.scrollLeft = cell.offsetLeft + 3 * cell.offsetWidth - frame.clientWidth;
  }, []);

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>): void {
    const date = (event.target as HTMLElement).dataset['date'];
    if (date === undefined) return;
    const next = targetOf(event.key, date);
    if (event.key === 'Enter' || event.key === ' ') onSelect(date, event.shiftKey);
    else if (next === null) return;
    else if (byDate.has(next)) {
      table.current?.querySelector<HTMLElement>(`[data-date="${next}"]`)?.focus();
      if (event.shiftKey) onSelect(next, true);
    }
    event.preventDefault();
  }

  function onClick(event: MouseEvent<HTMLTableElement>): void {
    const { date } = (event.target as HTMLElement).closest<HTMLElement>('[data-date]')?.dataset ?? {};
    if (date !== undefined) onSelect(date, event.shiftKey);
  }

  return (
    <ScrollFrame label={label}>
      <table
        ref={table}
        className="day-grid"
        role="grid"
        aria-label={label}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <thead>
          <tr>
            <td />
            {columns.map((day) => (
              <th key={day} scope="col">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.map((month) => (
            <tr key={month}>
              <th scope="row">{month}</th>
              {columns.map((column) => {
                const date = `${month}-${String(column).padStart(2, '0')}`;
                const day = byDate.get(date);
                if (day === undefined) return <td key={column} />;
                const isSelected = date >= from && date <= to;
                return <DayCell key={column} day={day} isEntry={date === entry} isSelected={isSelected} />;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

interface CellProps {
  readonly day: GridDay;
  /** true: the one in the order of tabs. */
  readonly isEntry: boolean;
  readonly isSelected: boolean;
}

function DayCell({ day: { date, shape, label, tone, amount }, isEntry, isSelected }: CellProps) {
  return (
    <td
      role="gridcell"
      tabIndex={isEntry ? 0 : -1}
      data-date={date}
      data-tone={tone}
      style={{ '--amount': amount } as CSSProperties}
      aria-selected={isSelected}
      aria-label={`${date}: ${label}`}
      title={`${date}: ${label}`}
    >
      {shape}
    </td>
  );
}

/** Returns the day that a key leads to; null if it is not a key of the calendar. */
function targetOf(key: string, date: string): string | null {
  const at = new Date(date);
  const step = steps[key];
  if (step !== undefined) at.setUTCDate(at.getUTCDate() + step);
  else if (key === 'ArrowUp' || key === 'ArrowDown') {
    const day = at.getUTCDate();
    at.setUTCDate(1);
    at.setUTCMonth(at.getUTCMonth() + (key === 'ArrowUp' ? -1 : 1));
    at.setUTCDate(
      Math.min(day, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()),
    );
  } else return null;
  return at.toISOString().slice(0, 10);
}
