import { Link } from '@tanstack/react-router';

interface Props {
  readonly brandId: number | string;
  /** The id of an API key, or the name of another writer, such as `feed-token:7`. */
  readonly keyId: string;
}

/** A link to an API key. A writer that is no API key is plain text. */
export function KeyLink({ brandId, keyId }: Props) {
  if (!keyId.startsWith('tuk_')) return <span className="mono id">{keyId}</span>;
  return (
    <Link
      to="/brands/$brandId/keys/$keyId"
      params={{ brandId: String(brandId), keyId }}
      className="mono id"
      title={keyId}
    >
      {keyId.slice(0, 16)}…
    </Link>
  );
}
