import { Link } from '@tanstack/react-router';

/** A link to the look-up of a request. */
export function RequestLink({ id }: { readonly id: string }) {
  return (
    <Link to="/requests/$requestId" params={{ requestId: id }} className="mono id" title={id}>
      {id.length > 16 ? `${id.slice(0, 12)}…` : id}
    </Link>
  );
}
