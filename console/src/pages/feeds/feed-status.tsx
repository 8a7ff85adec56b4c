import { StateMark, type Tone } from '../../parts/state-mark.tsx';

const tones: Readonly<Record<string, Tone>> = {
  queued: 'off',
  processing: 'warn',
  completed: 'good',
  failed: 'bad',
};

/** The status of a feed. */
export function FeedStatus({ status }: { readonly status: string }) {
  return <StateMark tone={tones[status] ?? 'off'}>{status}</StateMark>;
}
