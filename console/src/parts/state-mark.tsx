import type { ReactNode } from 'react';

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
