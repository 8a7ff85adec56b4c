import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  /** More about it, or the next step. */
  readonly text?: string | undefined;
  readonly children?: ReactNode;
}

/** Takes the place of a list without rows: says why it is empty, and the next step. */
export function EmptyNote({ title, text, children }: Props) {
  return (
    <div className="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {text !== undefined && <p className="soft">{text}</p>}
      {children}
    </div>
  );
}
