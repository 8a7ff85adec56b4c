import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { setPreferences, usePreferences } from '../../app/preferences.ts';
import { CopyText } from '../../parts/copyable-id.tsx';
import { FormField } from '../../parts/form-field.tsx';

type Issued = ResponseOf<'createApiKey'> | ResponseOf<'rotateApiKey'>;

/** Shows what the integrator needs next to the secret, to copy into a mail. The browser remembers the address. */
export function ToSend({ issued }: { readonly issued: Issued }) {
  const brand = useApi('getBrand', { path: [issued.brand_id] });
  const { apiAddress } = usePreferences();
  const text = mailText(issued, brand.data?.name ?? String(issued.brand_id), apiAddress);
  return (
    <section className="section" aria-labelledby="to-send">
      <h2 id="to-send">Send this to the integrator</h2>
      <p className="soft">Send the secret by another way.</p>
      <FormField
        label="Address of the client API"
        hint="The one that your integrations use. This browser remembers it."
        type="url"
        placeholder="https://api.example.com"
        value={apiAddress}
        onChange={({ target }) => setPreferences({ apiAddress: target.value.trim().replace(/\/+$/, '') })}
      />
      <CopyText label="Send this to the integrator" action="Copy the text" text={text} />
    </section>
  );
}

function mailText(key: Issued, brand: string, apiAddress: string): string {
  const address = apiAddress === '' ? '$BRANDPORT_URL' : apiAddress;
  return [
    `Brand: ${brand} (${key.brand_id})`,
    `Key: ${key.name}, ${key.key_id}`,
    `Scopes: ${key.scopes.join(', ')}`,
    `Expires: ${key.expires_at ?? 'never'}`,
    '',
    'First call:',
    `curl -H "Authorization: Bearer $BRANDPORT_API_KEY" "${address}/v1/client/catalog/status"`,
    '',
    `Quick start: ${address}/docs/guides/quick-start`,
    `Errors: ${address}/docs/guides/errors`,
  ].join('\n');
}
