import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useApi } from '../../api/use-api.ts';
import { FilterBar, KeyFilter } from '../../parts/filters.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { messages } from './messages.ts';
import type { Limit } from './own-limits.tsx';

const route = getRouteApi('/brands/$brandId/limits');
/** From this share on, a limit is nearly used up. */
const nearShare = 0.8;
const tones = { free: 'good', near: 'warn', full: 'bad' } as const;

/** The rate limits of a brand and of its keys, with the use of the current windows. */
export function LimitsPage() {
  const { brandId } = route.useParams();
  const { key, page } = route.useSearch();
  const query = { page, key_id: key };
  const limits = useApi('listBrandLimits', { path: [brandId], query }, { refreshMs: 3000 });
  const columns = useMemo(() => columnsOf(brandId), [brandId]);
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className="section">
        <FilterBar>
          <KeyFilter name="key" value={key} brandId={Number(brandId)} />
        </FilterBar>
        <PagedTable
          query={limits}
          caption={messages.table}
          columns={columns}
          rowKey={({ bucket, key_id }) => `${bucket} ${key_id}`}
          empty={<EmptyNote title={messages.notListed} />}
        />
        {limits.data && (
          <p className="soft">{limits.data.counted_by === 'redis' ? messages.redis : messages.process}</p>
        )}
      </div>
    </Page>
  );
}

function columnsOf(brandId: string): readonly Column<Limit>[] {
  return [
    { header: messages.bucket, cell: ({ bucket }) => <span className="mono">{bucket}</span> },
    {
      header: messages.key,
      cell: ({ key_id }) =>
        key_id === null ? (
          <Link to="/brands/$brandId" params={{ brandId }} hash="own-limits">
            {messages.brand}
          </Link>
        ) : (
          <KeyLink brandId={brandId} keyId={key_id} hash="own-limits" />
        ),
    },
    { header: messages.used, align: 'end', cell: ({ used }) => figure(used) },
    {
      header: messages.limit,
      align: 'end',
      cell: ({ limit }) =>
        limit === null ? <span className="soft">{messages.unlimited}</span> : figure(limit),
    },
    {
      header: messages.own,
      isExtra: true,
      cell: ({ own, until }) => own && <Moment at={until} absent={messages.noEnd} />,
    },
    { header: messages.state, isExtra: true, cell: (one) => <LimitState {...one} /> },
    {
      header: messages.resets,
      isExtra: true,
      cell: ({ resets_at }) => <Moment at={resets_at} absent={messages.idle} />,
    },
  ];
}

function LimitState({ limit, used }: Limit) {
  const state = limit === null || used < limit * nearShare ? 'free' : used < limit ? 'near' : 'full';
  return <StateMark tone={tones[state]}>{messages.states[state]}</StateMark>;
}
