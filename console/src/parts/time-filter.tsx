import { Popover } from '@base-ui/react/popover';
import { type FormEvent, useState } from 'react';
import { Button } from './button.tsx';
import { FormField } from './form-field.tsx';
import { useSetFilters } from './set-filter.ts';
import { useZone, type Zone } from './zone.ts';

interface End {
  readonly label: string;
  /** The search parameter. */
  readonly name: string;
  readonly value: string | undefined;
}

interface Props {
  readonly label: string;
  /** One instant, or the two ends of a range. */
  readonly ends: readonly End[];
}

const hourMs = 3_600_000;
const spans = [
  { hours: 1, range: 'Last hour', instant: 'An hour ago' },
  { hours: 24, range: 'Last 24 hours', instant: '24 hours ago' },
  { hours: 168, range: 'Last 7 days', instant: '7 days ago' },
  { hours: 720, range: 'Last 30 days', instant: '30 days ago' },
] as const;
/** For so long after its choice, a span is shown by its name; then by its begin. */
const namedMs = 60_000;

/** A filter by an instant. */
export function TimeFilter({ label, name, value }: End) {
  return <TimeChip label={label} ends={[{ label, name, value }]} />;
}

interface RangeProps {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** A filter by the time of the rows. An address may name days. */
export function TimeRange({ from, to }: RangeProps) {
  const end = to?.length === 10 ? `${to}T23:59Z` : to;
  const ends = [
    { label: 'From', name: 'from', value: from },
    { label: 'Until', name: 'to', value: end },
  ];
  return <TimeChip label="Time" ends={ends} />;
}

/** A chip that says the time, with a choice of spans and fields in a popover. */
function TimeChip({ label, ends }: Props) {
  const zone = useZone();
  const set = useSetFilters();
  const [isOpen, setOpen] = useState(false);
  const shown = shownTime(ends, zone);
  const isRange = ends.length > 1;

  function apply(values: readonly (string | undefined)[]): void {
    set(Object.fromEntries(ends.map(({ name }, index) => [name, values[index]])));
    setOpen(false);
  }

  return (
    <span className="chip" data-on={shown !== null || undefined}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="chip-trigger" aria-label={`${label}: ${shown ?? 'any'}`}>
          <span className="soft">{label}</span>
          {shown !== null && <strong>{shown}</strong>}
          <span aria-hidden="true">▾</span>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Positioner align="start" sideOffset={4} className="popup-place">
            <Popover.Popup className="popup" aria-label={label}>
              <ul className="popup-spans">
                {spans.map(({ hours, range, instant }) => (
                  <li key={hours}>
                    <Button kind="plain" onClick={() => apply([minuteAgo(hours)])}>
                      {isRange ? range : instant}
                    </Button>
                  </li>
                ))}
              </ul>
              <TimeFields key={shown} ends={ends} zone={zone} onApply={apply} />
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {shown !== null && (
        <button
          type="button"
          className="chip-clear"
          aria-label={`Remove the filter ${label}`}
          onClick={() => apply([])}
        >
          ×
        </button>
      )}
    </span>
  );
}

interface FieldsProps extends Pick<Props, 'ends'> {
  readonly zone: Zone;
  /** Receives an instant for each end; undefined for an empty field. */
  readonly onApply: (values: readonly (string | undefined)[]) => void;
}

/** A field for each end, written the same in every language. */
function TimeFields({ ends, zone, onApply }: FieldsProps) {
  const [texts, setTexts] = useState(() => ends.map(({ value }) => zone.fieldOf(value).replace('T', ' ')));
  const [isTried, setTried] = useState(false);
  const instants = texts.map((text, index) => instantOf(text, zone, index > 0 ? 'T23:59' : 'T00:00'));

  function submit(event: FormEvent): void {
    event.preventDefault();
    setTried(true);
    if (!instants.includes(null)) onApply(instants as readonly (string | undefined)[]);
  }

  return (
    <form className="form" onSubmit={submit}>
      {ends.map(({ label, name }, index) => (
        <FormField
          key={name}
          label={`${label}, ${zone.name}`}
          placeholder="2026-11-27 18:00"
          autoComplete="off"
          value={texts[index] ?? ''}
          faults={isTried && instants[index] === null ? ['Write a time as 2026-11-27 18:00.'] : []}
          onChange={({ target }) => setTexts(texts.with(index, target.value))}
        />
      ))}
      <Button type="submit">Apply</Button>
    </form>
  );
}

/** Returns the instant that a field means; undefined for an empty one, null for what is no time. */
function instantOf(text: string, zone: Zone, ofDay: string): string | undefined | null {
  const [, day, time] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(text.trim()) ?? [];
  if (text.trim() === '') return undefined;
  const field = `${day}${time === undefined ? ofDay : `T${time}`}`;
  return day === undefined || Number.isNaN(Date.parse(`${field}Z`)) ? null : zone.instantOf(field);
}

/** Returns the time some hours ago, at a full minute. */
function minuteAgo(hours: number): string {
  const minute = 60_000;
  return new Date(Math.floor((Date.now() - hours * hourMs) / minute) * minute).toISOString();
}

/** Returns the words of a chip; null: any time. */
function shownTime(ends: readonly End[], zone: Zone): string | null {
  const [from, to] = ends.map(({ value }) => value && textOf(value, zone));
  if (ends.length === 1) return from ?? null;
  const age = Date.now() - Date.parse(ends[0]?.value ?? '');
  const span = spans.find(({ hours }) => age >= hours * hourMs && age < hours * hourMs + 2 * namedMs);
  if (to === undefined) return span?.range ?? (from === undefined ? null : `since ${from}`);
  return from === undefined ? `until ${to}` : `${from} to ${to}`;
}

/** Returns an instant as `2026-11-27 18:00`; what is no instant, as it is. */
function textOf(value: string, zone: Zone): string {
  return zone.fieldOf(value).replace('T', ' ').slice(0, 16) || value;
}
