import { Link } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { shownName } from './shown-name.ts';

interface KeyProps {
  readonly brandId: number | string;
  /** The id of an API key, or the name of another writer, such as `feed-token:7`. */
  readonly keyId: string;
}

/** A link to an API key, with its name. A writer that is no API key is plain text. */
export function KeyLink({ brandId, keyId }: KeyProps) {
  const isKey = keyId.startsWith('tuk_');
  const keys = useKeys(brandId, { isEnabled: isKey });
  if (!isKey) return <span className="mono id">{keyId}</span>;
  const name = keys.data?.data.find(({ key_id }) => key_id === keyId)?.name;
  return (
    <Link to="/brands/$brandId/keys/$keyId" params={{ brandId: String(brandId), keyId }} title={keyId}>
      {name !== undefined && `${shownName(name)} `}
      <span className="mono id">{keyId.slice(0, 16)}…</span>
    </Link>
  );
}

/** Reads the newest 200 keys of a brand; all links of a page share one request. */
function useKeys(brandId: number | string, { isEnabled = true } = {}) {
  return useApi('listApiKeys', { path: [brandId], query: { per_page: 200 } }, { isEnabled });
}

/** A link to a brand, with its name; until that is known, with its id. */
export function BrandLink({ brandId }: { readonly brandId: number }) {
  const name = useApi('getBrand', { path: [brandId] }).data?.name;
  return (
    <Link to="/brands/$brandId" params={{ brandId: String(brandId) }} title={String(brandId)}>
      {shownName(name ?? String(brandId))}
    </Link>
  );
}

/** A link to the look-up of a request. */
export function RequestLink({ id }: { readonly id: string }) {
  return (
    <Link to="/requests/$requestId" params={{ requestId: id }} className="mono id" title={id}>
      {id.length > 16 ? `${id.slice(0, 12)}…` : id}
    </Link>
  );
}

interface ResourceProps {
  readonly brandId: number | null;
  readonly type: string;
  readonly id: string;
}

/** The resource of a change: a link where the console has a page for it. */
export function ResourceLink({ brandId, type, id }: ResourceProps) {
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
