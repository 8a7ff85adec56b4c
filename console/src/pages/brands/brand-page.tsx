import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { actionsIn } from '../../app/navigation.ts';
import { Activity, activityRefreshMs, hoursOf, tilesOfDay } from '../../parts/activity.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FigureTiles, type Tile } from '../../parts/figure-tiles.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { MoreActions } from '../../parts/more-actions.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { History } from '../audit/history.tsx';
import { Attention } from './attention.tsx';

const route = getRouteApi('/brands/$brandId/');

/** A brand at a glance: its figures, and what needs attention. */
export function BrandPage() {
  const { brandId } = route.useParams();
  const { hours = '24' } = route.useSearch();
  const { hash } = useLocation();
  const brand = useApi('getBrand', { path: [brandId] }, { refreshMs: 15_000 });
  const activity = useApi(
    'getBrandActivity',
    { path: [brandId], query: hoursOf(hours) },
    { refreshMs: activityRefreshMs },
  );
  const mayChange = useMayChange();
  const navigate = useNavigate();
  useEffect(() => {
    // Both were sections of this page.
    if (hash === 'settings' || hash === 'own-limits')
      void navigate({ to: '/brands/$brandId/settings', params: { brandId }, hash, replace: true });
  }, [hash, brandId, navigate]);
  return (
    <Page title={brand.data?.name ?? '…'} actions={<BrandActions brandId={brandId} />}>
      {brand.data?.figures.active_keys === 0 && (
        <div className="note">
          <p>This brand has no active API key: no integration can reach it.</p>
          {mayChange && (
            <p>
              <Link to="/brands/$brandId/keys/new" params={{ brandId }}>
                Create a key
              </Link>
            </p>
          )}
        </div>
      )}
      {brand.data !== undefined && <Attention brand={brand.data} />}
      {activity.data !== undefined && <FigureTiles tiles={tilesOf(brandId, brand.data, activity.data)} />}
      <Activity activity={activity.data} range={hours} places={placesOf(brandId)} />
      <div className="columns">
        <StockHealth brandId={brandId} />
        {brand.data !== undefined && <BrandFacts brand={brand.data} />}
      </div>
      <History type="brand" id={brandId} />
    </Page>
  );
}

/** A new key, and in a menu what else is done in a brand. */
function BrandActions({ brandId }: { readonly brandId: string }) {
  const mayChange = useMayChange();
  if (!mayChange) return null;
  const [first, ...others] = actionsIn(brandId);
  return (
    <>
      <Link to={first.to as '/'} className="button" data-kind="primary">
        {first.label}
      </Link>
      <MoreActions actions={others.map((action) => ({ id: action.to, ...action }))} />
    </>
  );
}

type Brand = ResponseOf<'getBrand'>;

/** The figures of the last 24 hours, and the latest day of the datasets. */
function tilesOf(
  brandId: string,
  brand: Brand | undefined,
  { data }: ResponseOf<'getBrandActivity'>,
): readonly Tile[] {
  const places = placesOf(brandId);
  return [
    ...tilesOfDay(data, {
      ...places,
      requests: { to: `/brands/${brandId}/keys` },
      linesLeft: brand?.figures.failed_lines_24h,
    }),
    {
      label: 'Latest day of the datasets',
      value: brand?.figures.latest_date?.slice(5) ?? '–',
      note: 'aggregated at night',
      to: places.datasets,
    },
  ];
}

function placesOf(brandId: string) {
  const base = `/brands/${brandId}`;
  return { refusals: `${base}/refusals`, feeds: `${base}/feeds`, datasets: `${base}/datasets` };
}

function BrandFacts({ brand: { id, figures: summary, created_at } }: { readonly brand: Brand }) {
  const params = { brandId: String(id) };
  return (
    <section className="section" aria-labelledby="brand">
      <h2 id="brand">Brand</h2>
      <Facts
        items={{
          Id: <CopyableId id={String(id)} />,
          Products: (
            <Link to="/brands/$brandId/products" params={params}>
              {figure(summary.products)}
            </Link>
          ),
          'Active keys': (
            <Link to="/brands/$brandId/keys" params={params} search={{ state: 'active' }}>
              {figure(summary.active_keys)}
            </Link>
          ),
          'Last request': <Moment at={summary.last_request_at} />,
          'Oldest open feed': <Moment at={summary.oldest_feed_at} absent="–" />,
          Created: <Moment at={created_at} />,
        }}
      />
    </section>
  );
}

type Health = ResponseOf<'getStockHealth'>;

const columns: readonly Column<Health['by_location'][number]>[] = [
  {
    header: 'Location',
    isMono: true,
    text: ({ location_code }) => location_code,
  },
  { header: 'Levels', align: 'end', text: ({ levels }) => levels },
  { header: 'Out of stock', align: 'end', text: ({ out_of_stock }) => out_of_stock },
  { header: 'Low', align: 'end', text: ({ low_stock }) => low_stock },
  { header: 'Stale', align: 'end', text: ({ stale }) => stale },
];

/** The stock levels of a brand that are low, out or stale, by location, with a link to the products. */
function StockHealth({ brandId }: { readonly brandId: string }) {
  const health = useApi('getStockHealth', { path: [brandId] }, { refreshMs: 60_000 });
  return (
    <section className="section" aria-labelledby="stock">
      <h2 id="stock">Stock</h2>
      <Loaded query={health}>
        {(data) => (
          <>
            <p>
              <State health={data} />{' '}
              <span className="soft">
                as of <Moment at={data.as_of} />
              </span>
            </p>
            {data.by_location.length > 0 && (
              <>
                <DataTable
                  caption="Stock by location"
                  columns={columns}
                  rows={data.by_location}
                  rowKey={({ location_code }) => location_code}
                />
                <p>
                  <Link to="/brands/$brandId/products" params={{ brandId }}>
                    Show the list
                  </Link>
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function State({ health: { levels, out_of_stock, low_stock, stale } }: { readonly health: Health }) {
  const [tone, text] = stateOf(levels, out_of_stock + low_stock + stale);
  return <StateMark tone={tone}>{text}</StateMark>;
}

function stateOf(levels: number, wanting: number): readonly [Tone, string] {
  if (levels === 0) return ['off', 'No stock level yet'];
  return wanting === 0
    ? ['good', 'All levels are in stock']
    : ['warn', `${figure(wanting)} of ${figure(levels)} levels are out of stock, low or stale`];
}
