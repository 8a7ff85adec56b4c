import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { Button } from '../parts/button.tsx';
import { Loading } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useIsWaiting } from './lazy-page.ts';

/** Replaces a page that threw, or whose script could not be loaded. */
export function PageFault({ error }: ErrorComponentProps) {
  return (
    <div className="page" role="alert">
      <h1>This page failed</h1>
      <p className="soft">The other pages work. Reload this one; if it fails again, report the text below.</p>
      <pre>{error instanceof Error ? (error.stack ?? error.message) : String(error)}</pre>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}

/** The page of an address without one, or of a brand that does not exist. */
export function NotFound({ what }: { readonly what?: string }) {
  return (
    <Page
      title={what ?? 'There is no such page'}
      lead={
        what === undefined
          ? 'The address may be mistyped, or the page belongs to a later version.'
          : 'The address may be mistyped, or you may not see this brand.'
      }
    >
      <p>
        <Link to="/">Home</Link>
      </p>
    </Page>
  );
}

/** Replaces a page while its script is loaded. */
export function PendingPage() {
  const isWaiting = useIsWaiting();
  return (
    <div className="page">
      <h1 className={isWaiting ? undefined : 'visually-hidden'}>Opening the page</h1>
      {isWaiting && (
        <p className="error-note" role="alert">
          The server cannot be reached. This page opens as soon as it can.
        </p>
      )}
      <Loading />
    </div>
  );
}
