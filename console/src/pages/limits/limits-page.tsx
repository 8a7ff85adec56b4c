import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FilterSelect } from '../../parts/filter-select.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';
import { type Limit, OwnLimitsForm } from './own-limits-form.tsx';

const route = getRouteApi('/brands/$brandId/limits');
/** From this share on, a limit is nearly used up. */
const nearShare = 0.8;

/** The rate limits of a brand and of its keys, with the use of the current windows. */
export function LimitsPage() {
  const { brandId } = route.useParams();
  const limits = useApi('listBrandLimits', { path: [brandId] }, { refreshMs: 3000 });
  const { key } = route.useSearch();
  const keys = useApi('listApiKeys', { path: [brandId], query: { state: 'active', per_page: 200 } });
  const columns = useMemo(() => columnsOf(brandId), [brandId]);
  const mayChange = useMayChange();
  return (
    <Page title={messages.title} lead={messages.lead}>
      <Loaded query={limits}>
        {({ data, counted_by }) => (
          <div className="section">
            <DataTable
              caption={messages.table}
              columns={columns}
              rows={data}
              rowKey={({ bucket, key_id }) => `${bucket} ${key_id}`}
            />
            <p className="soft">{counted_by === 'redis' ? messages.redis : messages.process}</p>
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
                <OwnLimitsForm
                  key={formKeyOf(data, key)}
                  brandId={brandId}
                  keyId={key}
                  limits={limitsOf(data, key)}
                />
              </section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function limitsOf(limits: readonly Limit[], key: string | undefined): readonly Limit[] {
  return limits.filter(({ key_id }) => key_id === (key ?? null));
}

/** Changes with the stored values, and not with the counts: the form begins again after each change of them. */
function formKeyOf(limits: readonly Limit[], key: string | undefined): string {
  return JSON.stringify(
    limitsOf(limits, key).map(({ key_id, limit, own, until }) => [key_id, limit, own, until]),
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
  if (limit === null || used < limit * nearShare)
    return <StateMark tone="good">{messages.states.free}</StateMark>;
  return used < limit ? (
    <StateMark tone="warn">{messages.states.near}</StateMark>
  ) : (
    <StateMark tone="bad">{messages.states.full}</StateMark>
  );
}
