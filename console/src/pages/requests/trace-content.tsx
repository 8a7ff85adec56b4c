import { Link } from '@tanstack/react-router';
import { KeyLink, ResourceLink } from '../../parts/links.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { messages as refusals } from '../refusals/messages.ts';
import { messages } from './messages.ts';
import type { TraceEntry } from './trace-entry.ts';

/** A row that a request has written: what it is, who wrote it, and when. */
export function TraceContent({ entry }: { readonly entry: TraceEntry }) {
  const { at, brand_id: brandId } = entry;
  const writer = entry.kind === 'audit_entry' ? entry.actor : entry.key_id;
  return (
    <>
      <Subject entry={entry} />{' '}
      {writer !== null && (
        <>
          <span className="soft">{messages.by}</span> <KeyLink brandId={brandId ?? ''} keyId={writer} />{' '}
        </>
      )}
      {brandId !== null && (
        <Link to="/brands/$brandId" params={{ brandId: String(brandId) }}>
          {messages.brand} {brandId}
        </Link>
      )}{' '}
      <Moment at={at} />
    </>
  );
}

function Subject({ entry }: { readonly entry: TraceEntry }) {
  switch (entry.kind) {
    case 'stock_movement':
      return (
        <>
          <Link
            to="/brands/$brandId/explain"
            params={{ brandId: String(entry.brand_id) }}
            search={{ sku: entry.sku, location: entry.location }}
            className="mono id"
          >
            {entry.sku}
          </Link>{' '}
          {messages.at(entry.location)}{' '}
          <strong>
            {figure(entry.quantity_before)} → {figure(entry.quantity_after)}
          </strong>
        </>
      );
    case 'stock_feed':
      return (
        <>
          <Link
            to="/brands/$brandId/feeds/$feedId"
            params={{ brandId: String(entry.brand_id), feedId: entry.feed_id }}
            className="mono id"
          >
            {entry.source_batch_id}
          </Link>{' '}
          {messages.lines(entry.received_lines)}, {entry.status}
        </>
      );
    case 'idempotency_key':
      return (
        <>
          <span className="mono id">
            {entry.method} {entry.path}
          </span>{' '}
          {entry.status !== null && <strong>{entry.status}</strong>}{' '}
          <Link
            to="/brands/$brandId/idempotency"
            params={{ brandId: String(entry.brand_id) }}
            search={{ key: entry.key }}
            className="mono id"
          >
            {entry.key}
          </Link>
        </>
      );
    case 'refusal':
      return (
        <>
          <span className="mono id">
            {entry.method} {entry.path}
          </span>{' '}
          <strong>{entry.status}</strong> <span className="mono">{entry.code}</span>{' '}
          {entry.reason !== null && <>{messages.reason(refusals.reasons[entry.reason] ?? entry.reason)} </>}
          {entry.operation !== null && <span className="mono soft">{entry.operation} </span>}
          {entry.fields.length > 0 && (
            <>
              <span className="soft">{messages.fields}</span>{' '}
              <span className="mono id">{entry.fields.join(', ')}</span>{' '}
            </>
          )}
          {entry.count > 1 && <>{messages.requests(figure(entry.count))} </>}
          {entry.address !== null && <span className="mono soft">{entry.address}</span>}
        </>
      );
    case 'audit_entry':
      return (
        <>
          <strong>{entry.action}</strong>{' '}
          <ResourceLink brandId={entry.brand_id} type={entry.resource_type} id={entry.resource_id} />
        </>
      );
  }
}
