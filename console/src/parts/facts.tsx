import type { ReactNode } from 'react';

interface Props {
  /** The values by their names. One that is null, undefined or false is left out. */
  readonly items?: Readonly<Record<string, ReactNode>>;
  /** The same where names may be numbers, which an object would sort. */
  readonly pairs?: readonly (readonly [name: string, value: ReactNode])[];
}

/** The facts of a thing, one a line. */
export function Facts({ items = {}, pairs = Object.entries(items) }: Props) {
  return (
    <dl className="facts">
      {pairs.map(
        ([name, value]) =>
          value != null &&
          value !== false && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
