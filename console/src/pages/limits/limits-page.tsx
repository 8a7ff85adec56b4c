import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { FilterSelect } from '../../parts/filter-select.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';
import { type Limit, OwnLimits } from './own-limits-form.tsx';

const route = getRouteApi('/brands/$brandId/limits');
/** From this share on, a limit is nearly used up. */
const nearShare = 0.8;
const tones = { free: 'good', near: 'warn', full: 'bad' } as const;

/** The rate limits of a brand and of its keys, with the use of the current windows. */
export function LimitsPage() {
  const { brandId } = route.useParams();
  const { key, page } = route.useSearch();
  const limits = useApi('listBrandLimits', { path: [brandId], query: { page } }, { refreshMs: 3000 });
  const keys = useApi('listApiKeys', { path: [brandId], query: { state: 'active', per_page: 200 } });
  const columns = useMemo(() => columnsOf(brandId), [brandId]);
  const mayChange = useMayChange();
  return (
    <Page title={messages.title} lead={messages.lead}>
      <div className="section">
        <PagedTable
          query={limits}
          caption={messages.table}
          columns={columns}
          rowKey={({ bucket, key_id }) => `${bucket} ${key_id}`}
          empty={null}
        />
        {limits.data && (
          <p className="soft">{limits.data.counted_by === 'redis' ? messages.redis : messages.process}</p>
        )}
        {mayChange && (
          <section className="section" aria-labelledby="own">
            <h2 id="own">{messages.form.title}</h2>
            <p className="soft">{messages.form.lead}</p>
            <FilterSelect
              label={messages.form.owner}
              name="key"
              value={key}
              options={[
                ['', messages.form.brand],
                ...(keys.data?.data ?? []).map(
                  ({ key_id, name }) => [key_id, `${shownName(name)} ${key_id.slice(0, 16)}…`] as const,
                ),
              ]}
            />
            <OwnLimits key={key} brandId={brandId} keyId={key} />
          </section>
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
          <span className="soft">{messages.brand}</span>
        ) : (
          <KeyLink brandId={brandId} keyId={key_id} />
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
