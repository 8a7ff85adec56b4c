import type { ReactNode } from 'react';
import type { Tone } from './state-mark.tsx';

export interface ThreadStep {
  readonly key: string;
  /** The kind of the step: a movement, a feed line, a request, a key. */
  readonly kind: string;
  readonly content: ReactNode;
  /** `off`: happened and changed nothing; drawn in grey next to the line. */
  readonly tone?: Tone;
  /** Smaller steps that led to this one. */
  readonly origins?: readonly ThreadStep[];
}

interface Props {
  /** Names the list for screen readers. */
  readonly label: string;
  readonly steps: readonly ThreadStep[];
}

/** A vertical line that links a value to what led to it. It appears wherever something is explained. */
export function Thread({ label, steps }: Props) {
  return (
    <ol className="thread" aria-label={label}>
      {steps.map(({ key, kind, content, tone, origins = [] }) => (
        <li key={key} data-tone={tone} data-row>
          <div className="thread-step">
            <span className="thread-kind">{kind}</span>
            <div className="thread-content">{content}</div>
          </div>
          {origins.length > 0 && <Thread label={kind} steps={origins} />}
        </li>
      ))}
    </ol>
  );
}
