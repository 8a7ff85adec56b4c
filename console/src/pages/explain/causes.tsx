import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Thread, type ThreadStep } from '../../parts/thread.tsx';
import { causeSteps } from './cause-steps.tsx';
import { messages } from './messages.ts';

type Explanation = ResponseOf<'explainStock'>;

/** The changes on a page. */
export const perPage = 50;

interface Props {
  readonly brandId: string;
  readonly explanation: Explanation;
  readonly at: string | undefined;
  /** The earlier instant and its quantity: only what happened after it is shown. */
  readonly earlier: { readonly at: string; readonly quantity: number } | null;
  readonly before: number | undefined;
  readonly refusedBefore: string | undefined;
}

/** The quantity and what led to it, newest first. */
export function Causes({ brandId, explanation, at, earlier, before, refusedBefore }: Props) {
  const { level, quantity_at: quantity, entries, refused, refused_next } = explanation;
  if (level === null && entries.length === 0 && refused.length === 0)
    return <EmptyNote title={messages.none} />;
  const since = earlier === null ? Number.NEGATIVE_INFINITY : Date.parse(earlier.at);
  const isWanted = (one: { readonly at: string }) => Date.parse(one.at) > since;
  const last = entries.at(-1);
  const hasMore = last !== undefined && entries.length === perPage && isWanted(last);
  const shown = { ...explanation, entries: entries.filter(isWanted), refused: refused.filter(isWanted) };
  return (
    <>
      {earlier !== null && <p className="note">{messages.difference.sum(quantity - earlier.quantity)}</p>}
      <Thread
        label={messages.label}
        steps={[
          quantityStep('quantity', quantity, <Instant at={at} />, level),
          ...causeSteps(brandId, shown),
          ...(earlier === null || hasMore
            ? []
            : [quantityStep('earlier', earlier.quantity, <Instant at={earlier.at} />, null)]),
        ]}
      />
      <p className="form-row">
        {(before !== undefined || refusedBefore !== undefined) && (
          <PageLink
            search={{ before: undefined, refused_before: undefined }}
            label={messages.latest}
            rel="prev"
          />
        )}
        {refused_next !== null && (
          <PageLink search={{ refused_before: refused_next }} label={messages.moreRefused} />
        )}
        {hasMore && (
          <PageLink
            search={{ before: last.id, refused_before: undefined }}
            label={messages.earlier}
            rel="next"
          />
        )}
      </p>
    </>
  );
}

function quantityStep(
  key: string,
  quantity: number,
  instant: ReactNode,
  level: Explanation['level'],
): ThreadStep {
  return {
    key,
    kind: messages.quantity,
    tone: 'good',
    content: (
      <>
        <strong className={key === 'quantity' ? 'answer' : undefined}>{figure(quantity)}</strong> {instant}
        {level !== null && (
          <span className="soft">
            {' '}
            {messages.reserved(level.reserved)}, {messages.available(level.available)}
          </span>
        )}
      </>
    ),
  };
}

/** The instant of a question. The previous answer stays for a moment while the server refuses what is no instant. */
function Instant({ at }: Pick<Props, 'at'>) {
  if (at === undefined) return messages.now;
  return Number.isNaN(Date.parse(at)) ? at : <Moment at={at} />;
}

interface LinkProps {
  readonly search: object;
  readonly label: string;
  readonly rel?: 'prev' | 'next';
}

function PageLink({ search, label, rel }: LinkProps) {
  return (
    <Link to="." className="button" rel={rel} search={((old: object) => ({ ...old, ...search })) as never}>
      {label}
    </Link>
  );
}
