import { ApiProblem } from '../api/api-problem.ts';
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
        {onRetry !== undefined && (
          <button className="button" type="button" onClick={onRetry}>
            {messages.retry}
          </button>
        )}
        {requestId !== null && (
          <span className="soft">
            {messages.requestId} <CopyableId id={requestId} />
          </span>
        )}
      </p>
    </div>
  );
}
