import type { ReactNode } from 'react';

interface Props {
  /** Pairs of a name and a value. */
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}

/** The facts of a thing, one a line. */
export function Facts({ items }: Props) {
  return (
    <dl className="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
