import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Activity, activityRefreshMs, hoursOf } from '../../parts/activity.tsx';
import { daysOf } from '../../parts/activity-sums.ts';
import { changeText, FigureTiles, shareText, type Tile } from '../../parts/figure-tiles.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { concernsOf } from './concerns.ts';
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
              {concerns.map(({ subject, tone, text, to, search }) => (
                <li key={text} data-row>
                  <span className="soft">{messages.subjects[subject]}</span>
                  <Link to={to as '/'} search={search as never} data-row-link>
                    <StateMark tone={tone}>{text}</StateMark>
                  </Link>
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
