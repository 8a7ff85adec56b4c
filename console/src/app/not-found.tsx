import { Link } from '@tanstack/react-router';
import { PageHead } from '../parts/page-head.tsx';
import { messages } from './messages.ts';

/** The page of an address without one, or of a brand that does not exist. */
export function NotFound({ what }: { readonly what?: string }) {
  return (
    <div className="page">
      <PageHead
        title={what ?? messages.notFound}
        lead={what === undefined ? messages.notFoundText : messages.noBrandText}
      />
      <p>
        <Link to="/">{messages.home}</Link>
      </p>
    </div>
  );
}
