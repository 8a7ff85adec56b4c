import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Limit = ResponseOf<'listBrandLimits'>['data'][number];

const route = getRouteApi('/brands/$brandId/limits');
/** From this share on, a limit is nearly used up. */
const nearShare = 0.8;

/** The rate limits of a brand and of its keys, with the use of the current windows. */
export function LimitsPage() {
  const { brandId } = route.useParams();
  const limits = useApi('listBrandLimits', { path: [brandId] }, { refreshMs: 3000 });
  const columns = useMemo(() => columnsOf(brandId), [brandId]);
  return (
    <div className="page">
      <PageHead title={messages.title} lead={messages.lead} />
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
          </div>
        )}
      </Loaded>
    </div>
  );
}

function columnsOf(brandId: string): readonly Column<Limit>[] {
  return [
    { id: 'bucket', header: messages.bucket, cell: ({ bucket }) => <span className="mono">{bucket}</span> },
    {
      id: 'key',
      header: messages.key,
      cell: ({ key_id }) =>
        key_id === null ? (
          <span className="soft">{messages.brand}</span>
        ) : (
          <Link to="/brands/$brandId/keys/$keyId" params={{ brandId, keyId: key_id }} className="mono">
            {key_id.slice(0, 12)}…
          </Link>
        ),
    },
    { id: 'used', header: messages.used, align: 'end', cell: ({ used }) => figure(used) },
    {
      id: 'limit',
      header: messages.limit,
      align: 'end',
      cell: ({ limit }) =>
        limit === null ? <span className="soft">{messages.unlimited}</span> : figure(limit),
    },
    { id: 'state', header: messages.state, isExtra: true, cell: (one) => <LimitState {...one} /> },
    {
      id: 'resets',
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
