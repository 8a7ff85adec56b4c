import { useNavigate } from '@tanstack/react-router';
import { useApi, useChange } from '../../api/use-api.ts';
import { BrandLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';
import { bodyOfText, newSettings } from './brand-settings.ts';
import { SettingsForm } from './settings-form.tsx';

const newBrand = { text: newSettings };

/** Says that there is a brand of this name: lists would have two equal rows. */
function SameName({ name }: { readonly name: string }) {
  const query = { q: name, per_page: 20 };
  const found = useApi('listBrands', { query }, { isEnabled: name !== '' });
  const same = found.data?.data.find((brand) => brand.name.toLowerCase() === name.toLowerCase());
  if (same === undefined) return null;
  return (
    <output className="note">
      A brand of this name exists: <BrandLink brandId={same.id} />
    </output>
  );
}

/** Creates a brand, and continues with its first key. */
export function NewBrandPage() {
  const create = useChange('createBrand');
  const navigate = useNavigate();
  return (
    <Page title="New brand">
      <SettingsForm
        initial={newBrand}
        action="Create the brand"
        isPending={create.isPending}
        problem={create.error}
        preview={({ name }) => <SameName name={name.trim()} />}
        onSubmit={(text) =>
          create.mutate(
            { body: bodyOfText(text) },
            {
              onSuccess: ({ id, name }) => {
                toast(`${name} is created. It needs a key next.`);
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
