import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { messages } from './messages.ts';

/** Replaces a page that threw, or whose script could not be loaded. */
export function PageFault({ error }: ErrorComponentProps) {
  return (
    <div className="page" role="alert">
      <h1>{messages.fault}</h1>
      <p className="soft">{messages.faultText}</p>
      <pre>{error instanceof Error ? (error.stack ?? error.message) : String(error)}</pre>
      <Button onClick={() => location.reload()}>{messages.reload}</Button>
    </div>
  );
}
