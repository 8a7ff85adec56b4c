import { getRouteApi, Link } from '@tanstack/react-router';
import { useAllPages } from '../../api/use-api.ts';
import { Facts } from '../../parts/facts.tsx';
import { FilterBar, KeyFilter } from '../../parts/filters.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { buckets, type Limit } from './own-limits.tsx';

const route = getRouteApi('/brands/$brandId/limits');
/** From this share on, a limit is nearly used up. */
const nearShare = 0.8;
const refreshMs = 5000;

/** A key with its limits by bucket. */
interface KeyLimits {
  readonly brandId: string;
  readonly keyId: string;
  readonly limits: ReadonlyMap<string, Limit>;
  /** The largest share of a limit that is used. */
  readonly share: number;
}

/** The rate limits of a brand and of its keys, with the use of the current windows; the keys that use most come first. */
export function LimitsPage() {
  const { brandId } = route.useParams();
  const { key } = route.useSearch();
  const query = { key_id: key };
  const limits = useAllPages('listBrandLimits', { path: [brandId], query }, { refreshMs });
  return (
    <Page
      title="Limits"
      lead="Requests per minute. A window begins with the first request after the last one ended. Limits are changed on the page of their key, and in the settings of the brand."
    >
      <div className="section">
        <FilterBar>
          <KeyFilter name="key" value={key} brandId={Number(brandId)} />
        </FilterBar>
        <Loaded query={limits}>
          {({ rows, missing }) => {
            const keys = limitsByKey(brandId, rows);
            if (rows.length === 0)
              return (
                <EmptyNote title="This key is not among the active keys of the brand: it is revoked or expired, or of another brand. Its limits cannot be changed." />
              );
            return (
              <>
                {key === undefined && <BrandLimits brandId={brandId} limits={rows} />}
                {keys.length > 0 && (
                  <DataTable
                    caption="Rate limits"
                    columns={columns}
                    rows={keys}
                    rowKey={({ keyId }) => keyId}
                  />
                )}
                {missing > 0 && (
                  <p className="soft">{counted(missing, 'limit is', 'limits are')} not listed.</p>
                )}
              </>
            );
          }}
        </Loaded>
      </div>
    </Page>
  );
}

/** The limits that all keys of the brand share. */
function BrandLimits({ brandId, limits }: { readonly brandId: string; readonly limits: readonly Limit[] }) {
  const shared = limits.filter(({ key_id }) => key_id === null);
  return (
    <>
      <Facts
        pairs={shared.map((limit) => [
          buckets[limit.bucket]?.replace(' a minute', '') ?? limit.bucket,
          <Use key={limit.bucket} limit={limit} />,
        ])}
      />
      <p className="soft">
        All keys of the brand share these.{' '}
        <Link to="/brands/$brandId/settings" params={{ brandId }} hash="own-limits">
          Change them
        </Link>
      </p>
    </>
  );
}

function limitsByKey(brandId: string, rows: readonly Limit[]): readonly KeyLimits[] {
  const ofKeys = rows.filter(({ key_id }) => key_id !== null);
  return [...Map.groupBy(ofKeys, ({ key_id }) => key_id ?? '')]
    .map(([keyId, limits]) => ({
      brandId,
      keyId,
      limits: new Map(limits.map((limit) => [limit.bucket, limit])),
      share: Math.max(...limits.map(({ used, limit }) => (limit === null ? 0 : used / limit))),
    }))
    .sort((one, other) => other.share - one.share);
}

const bucketColumn = (header: string, bucket: string): Column<KeyLimits> => ({
  header,
  isExtra: bucket === 'catalog_writes',
  ...(bucket === 'catalog_reads' && { phone: 'state' }),
  cell: ({ limits }) => {
    const limit = limits.get(bucket);
    return limit && <Use limit={limit} />;
  },
});

const columns: readonly Column<KeyLimits>[] = [
  {
    header: 'Key',
    cell: ({ brandId, keyId }) => <KeyLink brandId={brandId} keyId={keyId} hash="own-limits" />,
  },
  bucketColumn('Reads of the catalog', 'catalog_reads'),
  bucketColumn('Writes of the catalog', 'catalog_writes'),
  bucketColumn('Analytics', 'analytics_key'),
  {
    header: 'Own until',
    isExtra: true,
    cell: ({ limits }) => {
      const own = [...limits.values()].find((limit) => limit.own);
      return own && <Moment at={own.until} absent="no end" />;
    },
  },
];

/** Shows how much of a limit is used, as a bar and in figures. */
function Use({ limit: { limit, used } }: { readonly limit: Limit }) {
  if (limit === null) return <span className="soft">{figure(used)}, not limited</span>;
  const tone = used >= limit ? 'bad' : used >= limit * nearShare ? 'warn' : undefined;
  const share = `${Math.min(100, (100 * used) / limit)}%`;
  return (
    <span className="use" data-tone={tone}>
      <span className="use-bar" aria-hidden="true">
        <span style={{ width: share }} />
      </span>
      <span className="use-figures">
        {figure(used)} of {figure(limit)}
      </span>
      {tone !== undefined && (
        <StateMark tone={tone}>{tone === 'bad' ? 'used up' : 'nearly used up'}</StateMark>
      )}
    </span>
  );
}
