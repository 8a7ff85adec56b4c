import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/use-api.ts';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';
import { bodyOfText, newSettings } from './brand-settings.ts';
import { messages } from './messages.ts';
import { SettingsForm } from './settings-form.tsx';

const words = messages.form;
const newBrand = { text: newSettings };

/** Creates a brand, and continues with its first key. */
export function NewBrandPage() {
  const create = useChange('createBrand');
  const navigate = useNavigate();
  return (
    <Page title={words.title}>
      <SettingsForm
        initial={newBrand}
        action={words.submit}
        isPending={create.isPending}
        problem={create.error}
        onSubmit={(text) =>
          create.mutate(
            { body: bodyOfText(text) },
            {
              onSuccess: ({ id, name }) => {
                toast(words.created(name));
                void navigate({
                  to: '/brands/$brandId/keys/new',
                  params: { brandId: String(id) },
                  ignoreBlocker: true,
                });
              },
            },
          )
        }
      />
    </Page>
  );
}
