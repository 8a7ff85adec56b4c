import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Activity, activityHours, activityRefreshMs } from '../../parts/activity.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { concernsOf } from './concerns.ts';
import { messages } from './messages.ts';

/** Concerns of all brands that the user may see, worst first. A quiet day is one line. */
export function HomePage() {
  const overview = useApi('getOverview', {}, { refreshMs: 15_000 });
  const activity = useApi('getActivity', { query: activityHours }, { refreshMs: activityRefreshMs });
  const { brand_ids: brandIds } = useSession();
  return (
    <Page title={messages.title} lead={messages.lead}>
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
      <Activity activity={activity.data} />
    </Page>
  );
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
