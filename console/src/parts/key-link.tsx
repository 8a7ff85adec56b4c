import { Link } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { shownName } from './shown-name.ts';

interface Props {
  readonly brandId: number | string;
  /** The id of an API key, or the name of another writer, such as `feed-token:7`. */
  readonly keyId: string;
}

/** A link to an API key, with its name. A writer that is no API key is plain text. */
export function KeyLink({ brandId, keyId }: Props) {
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
export function useKeys(brandId: number | string, { isEnabled = true } = {}) {
  return useApi('listApiKeys', { path: [brandId], query: { per_page: 200 } }, { isEnabled });
}
