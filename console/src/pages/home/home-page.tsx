import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Activity, activityRefreshMs, hoursOf } from '../../parts/activity.tsx';
import { daysOf } from '../../parts/activity-sums.ts';
import { changeText, FigureTiles, shareText, type Tile } from '../../parts/figure-tiles.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Concern, concernsOf } from './concerns.ts';
import { messages } from './messages.ts';

const route = getRouteApi('/');

/** Concerns of all brands that the user may see, worst first. A quiet day is one line. */
export function HomePage() {
  const overview = useApi('getOverview', {}, { refreshMs: 15_000 });
  const { hours = '24' } = route.useSearch();
  const activity = useApi('getActivity', { query: hoursOf(hours) }, { refreshMs: activityRefreshMs });
  const { brand_ids: brandIds } = useSession();
  return (
    <Page title={messages.title} lead={messages.lead}>
      {overview.data !== undefined && activity.data !== undefined && (
        <FigureTiles tiles={tilesOf(overview.data, activity.data)} />
      )}
      <Loaded query={overview}>
        {(data) => {
          const concerns = concernsOf(data, brandIds);
          return concerns.length === 0 ? (
            <QuietDay overview={data} />
          ) : (
            <ul className="concerns" aria-label={messages.list}>
              {concerns.map((concern) => (
                <li key={concern.text} data-row>
                  <span className="soft">{messages.subjects[concern.subject]}</span>
                  <span>
                    <Link to={concern.to as '/'} search={concern.search as never} data-row-link>
                      <StateMark tone={concern.tone}>{concern.text}</StateMark>
                    </Link>{' '}
                    {brandIds?.length !== 1 && <ConcernBrands concern={concern} />}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      <Activity activity={activity.data} range={hours} refusals="/requests" feeds="/feeds" />
    </Page>
  );
}

const shownBrands = 4;

/** The brands that a concern is about, with most of it first, such as `Luma 43, Aurore 2`. */
function ConcernBrands({ concern: { brandsBy, search } }: { readonly concern: Concern }) {
  const isOfKeys = brandsBy === 'keys';
  const keys = useApi(
    'listAllApiKeys',
    { query: { state: search?.['state'] as never, per_page: shownBrands } },
    { isEnabled: isOfKeys },
  );
  const sort = brandsBy === undefined || isOfKeys ? undefined : (`-${brandsBy}` as const);
  const brands = useApi(
    'listBrands',
    { query: { sort, per_page: shownBrands } },
    { isEnabled: sort !== undefined },
  );
  const named = isOfKeys
    ? [...new Set(keys.data?.data.map(({ brand_id }) => brand_id))].map((id) => (
        <BrandLink key={id} brandId={id} />
      ))
    : (brands.data?.data ?? []).flatMap(({ id, name, refused_24h, failed_lines_24h }) => {
        const count = brandsBy === 'refused_24h' ? refused_24h : failed_lines_24h;
        return count === 0 ? [] : [<span key={id}>{`${shownName(name)} ${figure(count)}`}</span>];
      });
  return <span className="soft concern-brands">{brandsBy !== undefined && named}</span>;
}

/** The figures of the last 24 hours. */
function tilesOf(
  { datasets }: ResponseOf<'getOverview'>,
  { data }: ResponseOf<'getActivity'>,
): readonly Tile[] {
  const { now, before } = daysOf(data);
  const words = messages.tiles;
  const behind = datasets.brands_behind ?? 0;
  return [
    {
      label: words.requests,
      value: figure(now.requests),
      note: changeText(now.requests, before.requests),
      to: '/brands',
      search: { sort: '-requests_24h' },
    },
    {
      label: words.refused,
      value: shareText(now.unserved, now.requests),
      note: words.refusedBefore(shareText(before.unserved, before.requests)),
      tone: now.unserved > 0 ? 'bad' : undefined,
      to: '/requests',
    },
    {
      label: words.failedLines,
      value: figure(now.refusedLines),
      note: changeText(now.refusedLines, before.refusedLines),
      tone: now.refusedLines > 0 ? 'warn' : undefined,
      to: '/feeds',
      search: { refused_lines: 'true' },
    },
    {
      label: words.behind,
      value: figure(behind),
      note: words.uncounted(datasets.dirty_days ?? 0),
      tone: behind > 0 ? 'warn' : undefined,
      to: '/datasets',
    },
  ];
}

function QuietDay({ overview }: { readonly overview: ResponseOf<'getOverview'> }) {
  const { datasets, doctor } = overview;
  const night = datasets.last_run?.finished_at;
  return (
    <p>
      <StateMark tone="good">{messages.allWell}</StateMark>{' '}
      <span className="soft">
        {night && (
          <>
            {messages.lastNight} <Moment at={night} />
          </>
        )}
        {night && doctor?.finished_at && ', '}
        {doctor?.finished_at && (
          <>
            {messages.lastDoctor} <Moment at={doctor.finished_at} />
          </>
        )}
      </span>
    </p>
  );
}
