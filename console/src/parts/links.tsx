import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/call.ts';
import { useApi } from '../api/use-api.ts';
import type { Column } from './column.tsx';
import { shownName } from './shown-name.ts';

interface KeyProps {
  readonly brandId: number | string;
  /** The id of an API key, or the name of another writer, such as `feed-token:7`. */
  readonly keyId: string;
  /** A section of the key's page. */
  readonly hash?: string;
  /** For a sentence: the id is shown only while there is no name. */
  readonly isShort?: boolean;
}

/** A link to an API key, with its name. A writer that is no API key is plain text. */
export function KeyLink({ brandId, keyId, hash, isShort = false }: KeyProps) {
  const isKey = keyId.startsWith('tuk_');
  const { data: name } = useQuery({
    queryKey: ['listAllApiKeys', 'name', keyId],
    queryFn: () => readName(keyId),
    enabled: isKey,
  });
  if (!isKey) return <span className="mono">{keyId}</span>;
  return (
    <Link
      to="/brands/$brandId/keys/$keyId"
      params={{ brandId: String(brandId), keyId }}
      {...(hash !== undefined && { hash })}
      title={keyId}
    >
      {typeof name === 'string' && `${shownName(name)}${isShort ? '' : ' '}`}
      {!(isShort && name) && <span className="mono">{keyId.slice(0, 16)}…</span>}
    </Link>
  );
}

/** The ids whose names are wanted in this turn, and the one request for all of them. */
let wanted: { readonly ids: Set<string>; readonly names: Promise<ReadonlyMap<string, string>> } | null = null;

/** Reads the name of a key, together with those of the other links of the page; null: it was deleted. */
async function readName(keyId: string): Promise<string | null> {
  wanted ??= { ids: new Set(), names: Promise.resolve().then(readNames) };
  wanted.ids.add(keyId);
  return (await wanted.names).get(keyId) ?? null;
}

async function readNames(): Promise<ReadonlyMap<string, string>> {
  await new Promise((resolve) => setTimeout(resolve));
  const ids = [...(wanted?.ids ?? [])].slice(0, 200);
  wanted = null;
  const { data } = await call('listAllApiKeys', { query: { key_id: ids.join(','), per_page: 200 } });
  return new Map(data.map(({ key_id, name }) => [key_id, name]));
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

/** The brand of a row, in lists of all brands. */
export const brandColumn: Column<{ readonly brand_id: number }> = {
  header: 'Brand',
  text: ({ brand_id }) => brand_id,
  cell: ({ brand_id }) => <BrandLink brandId={brand_id} />,
};

interface FeedProps {
  readonly brandId: number | string;
  readonly feedId: string;
  /** Default: its id. */
  readonly name?: string;
}

/** A link to a stock feed. */
export function FeedLink({ brandId, feedId, name = feedId }: FeedProps) {
  return (
    <Link to="/brands/$brandId/feeds/$feedId" params={{ brandId: String(brandId), feedId }} className="mono">
      {name}
    </Link>
  );
}

/** A link to the look-up of a request. */
export function RequestLink({ id }: { readonly id: string }) {
  return (
    <Link to="/requests/$requestId" params={{ requestId: id }} className="mono" title={id}>
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
    <span className="mono" title={id}>
      {type} {id.length > 16 ? `${id.slice(0, 16)}…` : id}
    </span>
  );
}
