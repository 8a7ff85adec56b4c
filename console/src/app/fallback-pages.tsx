import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Loading } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useIsWaiting } from './lazy-page.ts';
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

/** The page of an address without one, or of a brand that does not exist. */
export function NotFound({ what }: { readonly what?: string }) {
  return (
    <Page
      title={what ?? messages.notFound}
      lead={what === undefined ? messages.notFoundText : messages.noBrandText}
    >
      <p>
        <Link to="/">{messages.home}</Link>
      </p>
    </Page>
  );
}

/** Replaces a page while its script is loaded. */
export function PendingPage() {
  const isWaiting = useIsWaiting();
  return (
    <div className="page">
      <h1 className={isWaiting ? undefined : 'visually-hidden'}>{messages.opening}</h1>
      {isWaiting && (
        <p className="error-note" role="alert">
          {messages.waiting}
        </p>
      )}
      <Loading />
    </div>
  );
}
