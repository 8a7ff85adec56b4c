import { StateMark, type Tone } from '../../parts/state-mark.tsx';

const tones: Readonly<Record<string, Tone>> = {
  queued: 'off',
  running: 'warn',
  failed: 'bad',
  completed: 'good',
};

/** The state of a job. */
export function JobState({ state }: { readonly state: string }) {
  return <StateMark tone={tones[state] ?? 'off'}>{state}</StateMark>;
}
