import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange, useSession } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Activity, activityRefreshMs, hoursOf, tilesOfDay } from '../../parts/activity.tsx';
import { Button } from '../../parts/button.tsx';
import { FigureTiles, type Tile } from '../../parts/figure-tiles.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { shownName } from '../../parts/shown-name.ts';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Concern, concernsOf, placeIn } from './concerns.ts';
import { FirstSteps } from './first-steps.tsx';

const route = getRouteApi('/');

/** Concerns of all brands that the user may see, worst first. A quiet day is one line. */
export function HomePage() {
  const overview = useApi('getOverview', {}, { refreshMs: 15_000 });
  const { hours = '24' } = route.useSearch();
  const activity = useApi('getActivity', { query: hoursOf(hours) }, { refreshMs: activityRefreshMs });
  const { brand_ids: brandIds } = useSession();
  return (
    <Page title="Home" lead="What needs attention, worst first.">
      {overview.data !== undefined && activity.data !== undefined && (
        <FigureTiles tiles={tilesOf(overview.data, activity.data)} />
      )}
      <FirstSteps />
      <Loaded query={overview}>
        {(data) => {
          const concerns = concernsOf(data, brandIds);
          const muted = concerns.filter(({ reported }) => reported?.muted);
          const open = concerns.filter(({ reported }) => !reported?.muted);
          return (
            <>
              {open.length === 0 ? (
                <QuietDay overview={data} />
              ) : (
                <ul className="concerns" aria-label="Concerns">
                  {open.map((concern) => (
                    <ConcernLine key={concern.text} concern={concern} hasBrands={brandIds?.length !== 1} />
                  ))}
                </ul>
              )}
              {muted.length > 0 && (
                <details>
                  <summary>{counted(muted.length, 'concern is', 'concerns are')} muted</summary>
                  <ul className="concerns">
                    {muted.map((concern) => (
                      <ConcernLine key={concern.text} concern={concern} hasBrands={brandIds?.length !== 1} />
                    ))}
                  </ul>
                </details>
              )}
            </>
          );
        }}
      </Loaded>
      <Activity activity={activity.data} range={hours} places={places} />
    </Page>
  );
}

const places = { refusals: '/requests', feeds: '/feeds', datasets: '/datasets' } as const;

interface LineProps {
  readonly concern: Concern;
  readonly hasBrands: boolean;
}

/** A concern with the brands that have most of it, such as `Luma 43, Aurore 2`, and a button that mutes it. */
function ConcernLine({ concern: { subject, tone, text, to, search, reported }, hasBrands }: LineProps) {
  const mute = useChange('muteConcern');
  const unmute = useChange('unmuteConcern');
  const mayChange = useMayChange();
  const brands = hasBrands ? (reported?.brands ?? []) : [];
  const others = (reported?.brands_total ?? 0) - brands.length;
  return (
    <li data-row>
      <span className="soft">{subject}</span>
      <span className="concern">
        <Link to={to as '/'} search={search as never} data-row-link>
          <StateMark tone={tone}>{text}</StateMark>
        </Link>
        {brands.map(({ id, name, count }) => (
          <Link
            key={id}
            to={placeIn(id, { to, search }).to as '/'}
            search={placeIn(id, { to, search }).search as never}
            className="quiet"
          >
            <span>{shownName(name)}</span> <strong>{figure(count)}</strong>
          </Link>
        ))}
        {brands.length > 0 && others > 0 && (
          <span className="soft">and {counted(others, 'other brand', 'other brands')}</span>
        )}
      </span>
      {mayChange && reported !== undefined && (
        <span className="form-row">
          {reported.muted && reported.muted_until !== null && (
            <span className="soft">
              until <Moment at={reported.muted_until} />
            </span>
          )}
          <Button
            kind="plain"
            aria-label={reported.muted ? `Unmute: ${text}` : `Mute until it changes: ${text}`}
            disabled={mute.isPending || unmute.isPending}
            onClick={() =>
              reported.muted
                ? unmute.mutate({ path: [reported.id] })
                : mute.mutate({ path: [reported.id], body: {} })
            }
          >
            {reported.muted ? 'Unmute' : 'Mute'}
          </Button>
          {!reported.muted && (
            <Button
              kind="plain"
              aria-label={`Mute for a day: ${text}`}
              disabled={mute.isPending || unmute.isPending}
              onClick={() =>
                mute.mutate({
                  path: [reported.id],
                  body: { until: new Date(Date.now() + dayMs).toISOString() },
                })
              }
            >
              For a day
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

const dayMs = 86_400_000;

/** The figures of the last 24 hours. */
function tilesOf(
  { datasets, feeds }: ResponseOf<'getOverview'>,
  { data }: ResponseOf<'getActivity'>,
): readonly Tile[] {
  const requests = { to: '/brands', search: { sort: '-requests_24h' } };
  const behind = datasets.brands_behind ?? 0;
  return [
    ...tilesOfDay(data, {
      ...{ requests, ...places },
      linesLeft: feeds.refused_lines_24h,
    }),
    {
      label: 'Brands behind yesterday',
      value: figure(behind),
      note: counted(datasets.dirty_days ?? 0, 'day has uncounted events', 'days have uncounted events'),
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
      <StateMark tone="good">All well</StateMark>{' '}
      <span className="soft">
        {night && (
          <>
            Last nightly run <Moment at={night} />
          </>
        )}
        {night && doctor?.finished_at && ', '}
        {doctor?.finished_at && (
          <>
            last run of the doctor <Moment at={doctor.finished_at} />
          </>
        )}
      </span>
    </p>
  );
}
