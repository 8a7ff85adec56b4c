import { Link } from '@tanstack/react-router';
import { KeyLink } from './key-link.tsx';

interface Props {
  readonly brandId: number | null;
  readonly type: string;
  readonly id: string;
}

/** The resource of a change: a link where the console has a page for it. */
export function ResourceLink({ brandId, type, id }: Props) {
  if (type === 'api_key' && brandId !== null) return <KeyLink brandId={brandId} keyId={id} />;
  if (type === 'job') {
    return (
      <Link to="/jobs/$jobId" params={{ jobId: id }} className="mono">
        {id.slice(0, 16)}
      </Link>
    );
  }
  return (
    <span className="mono id">
      {type} {id.length > 24 ? `${id.slice(0, 24)}…` : id}
    </span>
  );
}
