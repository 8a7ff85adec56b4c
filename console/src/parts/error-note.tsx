import { ApiProblem } from '../api/api-problem.ts';
import { Button } from './button.tsx';
import { CopyableId } from './copyable-id.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly problem: Error;
  readonly onRetry?: (() => void) | undefined;
}

/** An error in words, with the request id that finds it in the server's log. */
export function ErrorNote({ problem, onRetry }: Props) {
  const { requestId, errors } =
    problem instanceof ApiProblem ? problem : { requestId: null, errors: {} as ApiProblem['errors'] };
  // Another attempt finds it missing again.
  const isMissing = problem instanceof ApiProblem && problem.status === 404;
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
        {onRetry !== undefined && !isMissing && <Button onClick={onRetry}>{messages.retry}</Button>}
        {requestId !== null && (
          <span className="soft">
            {messages.requestId} <CopyableId id={requestId} />
          </span>
        )}
      </p>
    </div>
  );
}
