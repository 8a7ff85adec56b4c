import { getRouteApi, Link } from '@tanstack/react-router';
import { tagOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Activity, activityHours, activityRefreshMs } from '../../parts/activity.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { OwnLimits } from '../limits/own-limits.tsx';
import { bodyOfChange, textOfSettings } from './brand-settings.ts';
import { messages } from './messages.ts';
import { effectsOf } from './settings-effects.ts';
import { SettingsForm } from './settings-form.tsx';
import { StockHealth } from './stock-health.tsx';

const route = getRouteApi('/brands/$brandId/');

/** A brand at a glance, and its settings. */
export function BrandPage() {
  const { brandId } = route.useParams();
  const brand = useApi('getBrand', { path: [brandId] }, { refreshMs: 15_000 });
  const activity = useApi(
    'getBrandActivity',
    { path: [brandId], query: activityHours },
    { refreshMs: activityRefreshMs },
  );
  const update = useChange('updateBrand');
  const mayChange = useMayChange();
  const toast = useToast();
  return (
    <Page title={brand.data?.name ?? '…'}>
      {brand.data?.summary.active_keys === 0 && (
        <div className="note">
          <p>{messages.overview.noKey}</p>
          {mayChange && (
            <p>
              <Link to="/brands/$brandId/keys/new" params={{ brandId }}>
                {messages.overview.firstKey}
              </Link>
            </p>
          )}
        </div>
      )}
      <section className="section" aria-labelledby="now">
        <h2 id="now">{messages.overview.now}</h2>
        <Loaded query={brand}>
          {({ summary: now }) => (
            <Facts
              items={[
                [messages.products, figure(now.products)],
                [
                  messages.keys,
                  <Link key="keys" to="/brands/$brandId/keys" params={{ brandId }}>
                    {figure(now.active_keys)}
                  </Link>,
                ],
                [messages.lastRequest, <Moment key="request" at={now.last_request_at} />],
                [messages.oldestFeed, <Moment key="feed" at={now.oldest_feed_at} absent={messages.noFeed} />],
                [
                  messages.latestDay,
                  <Link key="day" to="/brands/$brandId/datasets" params={{ brandId }}>
                    {now.latest_date ?? messages.overview.noDay}
                  </Link>,
                ],
              ]}
            />
          )}
        </Loaded>
      </section>
      <StockHealth brandId={brandId} />
      <Activity activity={activity.data} />
      <section className="section" aria-labelledby="settings">
        <h2 id="settings">{messages.overview.settings}</h2>
        <Loaded query={brand}>
          {(loaded) => (
            <SettingsForm
              key={brandId}
              initial={{ text: textOfSettings(loaded.name, loaded.settings), tag: tagOf(loaded) }}
              action={messages.form.save}
              isPending={update.isPending}
              isReadOnly={!mayChange}
              problem={update.error}
              preview={(text) =>
                effectsOf(textOfSettings(loaded.name, loaded.settings), text).map((effect) => (
                  <output key={effect} className="note">
                    {effect}
                  </output>
                ))
              }
              onSubmit={(text, base) =>
                update.mutate(
                  { path: [brandId], body: bodyOfChange(base.text, text), ifMatch: base.tag },
                  { onSuccess: () => toast(messages.form.saved) },
                )
              }
            />
          )}
        </Loaded>
      </section>
      <OwnLimits brandId={brandId} />
    </Page>
  );
}
