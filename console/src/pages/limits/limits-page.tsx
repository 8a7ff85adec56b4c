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
import type { Limit } from './own-limits.tsx';

const states = { free: 'free', near: 'nearly used up', full: 'used up' } as const;

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
    <Page
      title="Limits"
      lead="Requests per minute. A window begins with the first request after the last one ended. Limits are changed on the page of their key, and of the brand."
    >
      <div className="section">
        <FilterBar>
          <KeyFilter name="key" value={key} brandId={Number(brandId)} />
        </FilterBar>
        <PagedTable
          query={limits}
          caption="Rate limits"
          columns={columns}
          rowKey={({ bucket, key_id }) => `${bucket} ${key_id}`}
          empty={
            <EmptyNote title="This key is not among the active keys of the brand: it is revoked or expired, or of another brand. Its limits cannot be changed." />
          }
        />
        {limits.data && (
          <p className="soft">
            {limits.data.counted_by === 'redis'
              ? 'Counted by all processes together.'
              : 'Counted by this process only.'}
          </p>
        )}
      </div>
    </Page>
  );
}

function columnsOf(brandId: string): readonly Column<Limit>[] {
  return [
    { header: 'Limit', cell: ({ bucket }) => <span className="mono">{bucket}</span> },
    {
      header: 'Key',
      cell: ({ key_id }) =>
        key_id === null ? (
          <Link to="/brands/$brandId" params={{ brandId }} hash="own-limits">
            all keys
          </Link>
        ) : (
          <KeyLink brandId={brandId} keyId={key_id} hash="own-limits" />
        ),
    },
    { header: 'Used', align: 'end', cell: ({ used }) => figure(used) },
    {
      header: 'Allowed',
      align: 'end',
      cell: ({ limit }) => (limit === null ? <span className="soft">not limited</span> : figure(limit)),
    },
    {
      header: 'Own until',
      isExtra: true,
      cell: ({ own, until }) => own && <Moment at={until} absent="no end" />,
    },
    { header: 'State', isExtra: true, cell: (one) => <LimitState {...one} /> },
    {
      header: 'Window ends',
      isExtra: true,
      cell: ({ resets_at }) => <Moment at={resets_at} absent="no open window" />,
    },
  ];
}

function LimitState({ limit, used }: Limit) {
  const state = limit === null || used < limit * nearShare ? 'free' : used < limit ? 'near' : 'full';
  return <StateMark tone={tones[state]}>{states[state]}</StateMark>;
}
