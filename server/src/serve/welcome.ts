import type { DemoBrand } from './demo-brand.ts';
import type { RunningServer } from './start-server.ts';

/** What the first start says: the key, three lines to paste, and where to read on. */
export function welcomeText(
  { clientUrl, internalUrl, adminToken }: Pick<RunningServer, 'clientUrl' | 'internalUrl' | 'adminToken'>,
  { brandName, apiKey }: DemoBrand,
): string {
  const products = `${clientUrl}/v1/client/catalog/products`;
  const token =
    adminToken.file === null ? '$BRANDPORT_ADMIN_TOKEN' : `$(cat ${shellQuoted(adminToken.file)})`;
  return `
Welcome to Brandport. This first start made the brand "${brandName}" with a few products and a key
that holds every scope. The key is shown this once:

  ${apiKey}

Try it:

  curl -s -H 'Authorization: Bearer ${apiKey}' '${products}'
  curl -s -H 'Authorization: Bearer ${apiKey}' -H 'Idempotency-Key: welcome-1' -H 'Content-Type: application/json' -d '{"sku":"MUG-001","title":"Enamel mug","price_value":11.5}' '${products}'
  curl -s -H "Authorization: Bearer ${token}" '${internalUrl}/internal/v1/brands'

API reference      ${clientUrl}/docs
Internal surface   ${internalUrl}/internal/v1 (admin token: ${adminToken.file ?? 'BRANDPORT_ADMIN_TOKEN'})
Without this demonstration: BRANDPORT_DEMO=0

`;
}

/** One word for a POSIX shell, also inside of double quotes' command substitution. */
function shellQuoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
