import { Link } from '@tanstack/react-router';

interface Props {
  readonly brandId: number | string;
  /** The id of an API key, or the name of another writer, such as `feed-token:7`. */
  readonly keyId: string;
  /** Shown before the id. */
  readonly name?: string;
}

/** A link to an API key. A writer that is no API key is plain text. */
export function KeyLink({ brandId, keyId, name }: Props) {
  if (!keyId.startsWith('tuk_')) return <span className="mono id">{keyId}</span>;
  return (
    <Link to="/brands/$brandId/keys/$keyId" params={{ brandId: String(brandId), keyId }} title={keyId}>
      {name !== undefined && `${name} `}
      <span className="mono id">{keyId.slice(0, 16)}…</span>
    </Link>
  );
}
