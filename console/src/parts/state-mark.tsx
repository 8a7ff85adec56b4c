import { Fragment, type ReactNode } from 'react';

export type Tone = 'good' | 'warn' | 'bad' | 'off';

const shapes = { good: '●', warn: '◐', bad: '▲', off: '○' } as const;

interface Props {
  readonly tone: Tone;
  readonly children: ReactNode;
}

/** A state: a word with a shape, in the colour of its tone. */
export function StateMark({ tone, children }: Props) {
  return (
    <span className="state" data-tone={tone}>
      <span aria-hidden="true">{shapes[tone]}</span> {children}
    </span>
  );
}

const workTones: Readonly<Record<string, Tone>> = {
  queued: 'off',
  running: 'warn',
  processing: 'warn',
  completed: 'good',
  failed: 'bad',
};

/** The state of a job, a feed or a run of the doctor. */
export function WorkState({ state }: { readonly state: string }) {
  return <StateMark tone={workTones[state] ?? 'off'}>{state}</StateMark>;
}

/** The status of a response, in the colour of what went wrong. */
export function HttpStatus({ status }: { readonly status: number }) {
  return (
    <strong className="pill" data-tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>
      {status}
    </strong>
  );
}

/** Scopes, which wrap between them only. */
export function Scopes({ scopes }: { readonly scopes: readonly string[] }) {
  return scopes.map((scope, index) => (
    <Fragment key={scope}>
      {index > 0 && ', '}
      <code className="whole">{scope}</code>
    </Fragment>
  ));
}
