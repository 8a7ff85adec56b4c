import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { isTransient } from '../api/query-client.ts';
import { Button } from './button.tsx';
import { CopyableId } from './copyable-id.tsx';

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
      {/* The shell says that the server is not reached. */}
      {query.isError && !isTransient(query.error) && (
        <ErrorNote problem={query.error} onRetry={() => void query.refetch()} />
      )}
      {children(query.data)}
    </div>
  );
}

export function Loading() {
  return (
    <div className="loading">
      <output className="visually-hidden">Loading…</output>
      <span />
      <span />
      <span />
    </div>
  );
}

interface ErrorProps {
  readonly problem: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** An error in words, with the request id that finds it in the server's log. */
export function ErrorNote({ problem, onRetry }: ErrorProps) {
  const { requestId, errors } =
    problem instanceof ApiProblem ? problem : { requestId: null, errors: {} as ApiProblem['errors'] };
  // Another attempt finds it missing, or forbidden, again.
  const isFinal = problem instanceof ApiProblem && [403, 404].includes(problem.status);
  return (
    <div className="error-note" role="alert">
      <p>
        <span aria-hidden="true">▲ </span>
        {problem.message}
      </p>
      {Object.entries(errors).map(([field, faults]) => (
        <p key={field}>
          <code>{field}</code> {faults.join(' ')}
        </p>
      ))}
      <p className="form-row">
        {onRetry !== undefined && !isFinal && <Button onClick={onRetry}>Try again</Button>}
        {requestId !== null && (
          <span className="soft">
            Request id <CopyableId id={requestId} />
          </span>
        )}
      </p>
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  /** More about it, or the next step. */
  readonly text?: string | undefined;
  readonly children?: ReactNode;
}

/** Takes the place of a list without rows: says why it is empty, and the next step. */
export function EmptyNote({ title, text, children }: EmptyProps) {
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
