import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';
import { messages } from './messages.ts';

interface Props<Data> {
  readonly query: UseQueryResult<Data, Error>;
  readonly children: (data: Data) => ReactNode;
}

/** The content of a read, or its state: faint lines while it loads, the error and a way to repeat it. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  if (query.isPending) return <Loading />;
  if (query.data === undefined)
    return <ErrorNote problem={query.error ?? new Error()} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy={query.isPlaceholderData} className="loaded">
      {query.isError && <ErrorNote problem={query.error} onRetry={() => void query.refetch()} />}
      {children(query.data)}
    </div>
  );
}

export function Loading() {
  return (
    <div className="loading">
      <output className="visually-hidden">{messages.loading}</output>
      <span />
      <span />
      <span />
    </div>
  );
}
