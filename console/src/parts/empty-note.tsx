import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Takes the place of a list without rows: says why it is empty, and the next step. */
export function EmptyNote({ title, children }: Props) {
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
