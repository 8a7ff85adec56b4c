import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

const tones: Readonly<Record<string, Tone>> = {
  in_stock: 'good',
  low_stock: 'warn',
  out_of_stock: 'bad',
  stale: 'warn',
};

interface Props {
  /** null: no stock level. */
  readonly status: string | null;
}

/** The availability of a product or variant. */
export function AvailabilityMark({ status }: Props) {
  const words: Readonly<Record<string, string>> = messages.statuses;
  if (status === null) return <StateMark tone="off">{messages.statuses.none}</StateMark>;
  return <StateMark tone={tones[status] ?? 'off'}>{words[status] ?? status}</StateMark>;
}
