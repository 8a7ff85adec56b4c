import type { ErrorComponentProps } from '@tanstack/react-router';
import { messages } from './messages.ts';

/** Replaces a page that threw, or whose script could not be loaded. */
export function PageFault({ error }: ErrorComponentProps) {
  return (
    <div className="page" role="alert">
      <h1>{messages.fault}</h1>
      <p className="soft">{messages.faultText}</p>
      <pre>{error instanceof Error ? (error.stack ?? error.message) : String(error)}</pre>
      <button className="button" type="button" onClick={() => location.reload()}>
        {messages.reload}
      </button>
    </div>
  );
}
