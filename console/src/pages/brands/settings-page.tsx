import { getRouteApi } from '@tanstack/react-router';
import { tagOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';
import { OwnLimits } from '../limits/own-limits.tsx';
import { bodyOfChange, textOfSettings } from './brand-settings.ts';
import { effectsOf } from './settings-effects.ts';
import { SettingsForm } from './settings-form.tsx';

const route = getRouteApi('/brands/$brandId/settings');

/** The name, settings and rate limits of a brand. */
export function SettingsPage() {
  const { brandId } = route.useParams();
  const brand = useApi('getBrand', { path: [brandId] }, { refreshMs: 15_000 });
  const update = useChange('updateBrand');
  const mayChange = useMayChange();
  return (
    <Page
      title="Settings"
      lead="What products without their own value use, and what all keys may use together."
    >
      <div className="columns">
        <section className="section" aria-labelledby="settings">
          <h2 id="settings">Defaults</h2>
          <Loaded query={brand}>
            {(loaded) => (
              <SettingsForm
                key={brandId}
                initial={{ text: textOfSettings(loaded.name, loaded.settings), tag: tagOf(loaded) }}
                action="Save"
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
                    { onSuccess: () => toast('The settings are saved.') },
                  )
                }
              />
            )}
          </Loaded>
        </section>
        <OwnLimits brandId={brandId} />
      </div>
    </Page>
  );
}
