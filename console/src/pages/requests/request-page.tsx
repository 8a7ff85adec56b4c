import { getRouteApi, Link } from '@tanstack/react-router';
import { useApi } from '../../api/use-api.ts';
import { CopyableId, CopyText } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { BrandLink, FeedLink, KeyLink, ResourceLink } from '../../parts/links.tsx';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { HttpStatus, Scopes } from '../../parts/state-mark.tsx';
import { DataTable } from '../../parts/table.tsx';
import { Thread } from '../../parts/thread.tsx';
import { type Refusal, reasonText, refusalColumns, rowKeyOf } from '../refusals/refusal-columns.tsx';

const kinds = {
  stock_movement: 'Movement',
  stock_feed: 'Feed',
  idempotency_key: 'Response',
  audit_entry: 'Change',
  refusal: 'Refused',
} as const;

type Entry<Kind extends string, Strings extends string = never, Numbers extends string = never> = {
  readonly kind: Kind;
  readonly at: string;
  readonly brand_id: number | null;
  readonly key_id: string | null;
} & { readonly [Name in Strings]: string } & { readonly [Name in Numbers]: number };

type Recorded = Entry<'idempotency_key', 'key'> & {
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
};

/** Something that a request has written. The document of the server leaves the fields of each kind open. */
type TraceEntry =
  | Entry<'stock_movement', 'sku' | 'location', 'quantity_before' | 'quantity_after'>
  | Entry<'stock_feed', 'feed_id' | 'source_batch_id' | 'status', 'received_lines'>
  | Recorded
  | (Entry<'refusal'> & Omit<Refusal, 'at' | 'request_id' | 'key_id' | 'brand_id'>)
  | (Entry<'audit_entry', 'action' | 'resource_type' | 'resource_id'> & { readonly actor: string | null });

const route = getRouteApi('/requests/$requestId');
/** Other refusals of the key are neighbours this long before and after. */
const neighbourMs = 300_000;

/** Everything that a request has written, or why it was refused, each id a link. */
export function RequestPage() {
  const { requestId } = route.useParams();
  const request = useApi('getRequest', { path: [requestId] });
  const entries = (request.data?.entries ?? []) as unknown as readonly TraceEntry[];
  const isUnknown = request.error?.status === 404;
  const recorded = entries.filter((entry) => entry.kind === 'idempotency_key');
  const refusal = entries.find((entry) => entry.kind === 'refusal');
  return (
    <Page
      title={titleOf(entries) ?? 'Request'}
      tabTitle={`Request ${requestId}`}
      lead="Everything that requests with this id have written, or why they were refused, oldest first."
      aside={<RequestFacts requestId={requestId} entries={entries} />}
    >
      {isUnknown ? (
        <EmptyNote
          title="No request with this id has written anything or was refused"
          text="It only read with success, or had no key; or it repeated a 401 or 429 of its minute, which the first one counts; or it is too long ago; or the id is mistyped. The id is in the X-Request-Id header of every response."
        />
      ) : (
        <Loaded query={request}>
          {() => (
            <Thread
              label="What the request wrote"
              steps={entries.map((entry, index) => ({
                key: String(index),
                kind: kinds[entry.kind],
                tone: entry.kind === 'refusal' ? 'bad' : 'good',
                content: <Subject entry={entry} />,
              }))}
            />
          )}
        </Loaded>
      )}
      {recorded.map((entry) => (
        <StoredResponse key={`${entry.key_id} ${entry.key}`} entry={entry} />
      ))}
      {refusal !== undefined && <Neighbours requestId={requestId} refusal={refusal} />}
    </Page>
  );
}

/** Returns the method, path and status, if something recorded them. */
function titleOf(entries: readonly TraceEntry[]): string | undefined {
  const sent = entries.find((entry) => entry.kind === 'refusal' || entry.kind === 'idempotency_key');
  if (!sent?.method) return undefined;
  return `${sent.method} ${sent.path?.replace('/v1/client', '')} ${sent.status ?? ''}`.trim();
}

interface FactsProps {
  readonly requestId: string;
  readonly entries: readonly TraceEntry[];
}

function RequestFacts({ requestId, entries }: FactsProps) {
  const [first] = entries;
  const refusal = entries.find((entry) => entry.kind === 'refusal');
  const writer = first?.kind === 'audit_entry' ? first.actor : first?.key_id;
  return (
    <Facts
      items={{
        'Request id': <CopyableId id={requestId} />,
        When: first && <Moment at={first.at} />,
        Brand: first?.brand_id && <BrandLink brandId={first.brand_id} />,
        By: writer && <KeyLink brandId={first?.brand_id ?? ''} keyId={writer} />,
        Operation: refusal?.operation && <code>{refusal.operation}</code>,
        Address: refusal?.address && <code>{refusal.address}</code>,
      }}
    />
  );
}

function Subject({ entry }: { readonly entry: TraceEntry }) {
  const brandId = String(entry.brand_id);
  switch (entry.kind) {
    case 'stock_movement':
      return (
        <>
          <Link
            to="/brands/$brandId/explain"
            params={{ brandId }}
            search={{ sku: entry.sku, location: entry.location }}
            className="mono"
          >
            {entry.sku}
          </Link>{' '}
          at {entry.location}{' '}
          <strong>
            {figure(entry.quantity_before)} → {figure(entry.quantity_after)}
          </strong>
        </>
      );
    case 'stock_feed':
      return (
        <>
          <FeedLink brandId={brandId} feedId={entry.feed_id} name={entry.source_batch_id} />{' '}
          {counted(entry.received_lines, 'line', 'lines')}, {entry.status}
        </>
      );
    case 'idempotency_key':
      return (
        <>
          <span className="mono">
            {entry.method} {entry.path}
          </span>{' '}
          {entry.status !== null && <HttpStatus status={entry.status} />}{' '}
          <span className="soft">Idempotency-Key</span> <CopyableId id={entry.key} />
        </>
      );
    case 'refusal':
      return <RefusalText refusal={entry} />;
    case 'audit_entry':
      return (
        <>
          <strong>{entry.action}</strong>{' '}
          <ResourceLink brandId={entry.brand_id} type={entry.resource_type} id={entry.resource_id} />
        </>
      );
  }
}

function RefusalText({ refusal }: { readonly refusal: TraceEntry & { readonly kind: 'refusal' } }) {
  const { code, reason, fields, errors, count, status, message } = refusal;
  const { required_scopes: required, key_scopes: held } = refusal;
  return (
    <div className="section">
      {message !== null && <p>{message}</p>}
      <p>
        <HttpStatus status={status} /> <span className="mono">{code}</span>{' '}
        {reason !== null && <>({reasonText(reason)}) </>}
        <a href={`/internal/docs/guides/errors/${code}`}>What it means, and what to do</a>
      </p>
      {fields.length > 0 && (
        <Facts pairs={fields.map((field) => [field, [errors?.[field]].flat().filter(Boolean).join(' ')])} />
      )}
      {required?.length > 0 && (
        <Facts
          items={{
            'One of these scopes': <Scopes scopes={required} />,
            'The key has': held ? <Scopes scopes={held} /> : 'the key is deleted',
          }}
        />
      )}
      {count > 1 && <p>first of {figure(count)} requests in that minute</p>}
    </div>
  );
}

/** The response that a retry with the same Idempotency-Key receives. */
function StoredResponse({ entry }: { readonly entry: Recorded }) {
  const uses = useApi(
    'listIdempotencyKeyUses',
    { path: [entry.brand_id ?? 0, entry.key] },
    { isEnabled: entry.brand_id !== null },
  );
  const use = uses.data?.data.find(({ key_id, path }) => key_id === entry.key_id && path === entry.path);
  if (use === undefined) return null;
  return (
    <section className="section">
      <h2>Stored response</h2>
      <p className="soft">
        A retry with the same Idempotency-Key receives it. The key is free again{' '}
        <Moment at={use.expires_at} />
      </p>
      {use.body === null || use.body === '' ? (
        <p className="soft">The response has no body.</p>
      ) : (
        <CopyText
          label="Stored response"
          action="Copy the response"
          text={indented(use.body)}
          copied={use.body}
        />
      )}
    </section>
  );
}

/** JSON is indented, other text stays as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface NeighbourProps {
  readonly requestId: string;
  readonly refusal: TraceEntry & { readonly kind: 'refusal' };
}

/** Other refused requests of the key around that time. */
function Neighbours({ requestId, refusal }: NeighbourProps) {
  const at = Date.parse(refusal.at);
  const query = {
    brand_id: refusal.brand_id ?? 0,
    key_id: refusal.key_id ?? '',
    from: new Date(at - neighbourMs).toISOString(),
    to: new Date(at + neighbourMs).toISOString(),
    per_page: 20,
  };
  const around = useApi('listAllRefusals', { query });
  const rows = (around.data?.data ?? []).filter(({ request_id }) => request_id !== requestId);
  if (rows.length === 0) return null;
  return (
    <section className="section" aria-labelledby="neighbours">
      <h2 id="neighbours">Refused requests of this key around that time</h2>
      <DataTable
        caption="Refused requests of this key around that time"
        columns={refusalColumns}
        rows={rows}
        rowKey={rowKeyOf}
      />
    </section>
  );
}
