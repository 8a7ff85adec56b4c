import { systemClock } from '../lib/clock.ts';
import type { DemoBrand } from './demo-brand.ts';
import type { RunningServer } from './start-server.ts';

/** Returns the first start's welcome: the key, three commands to paste, and links. */
export function welcomeText(
  { clientUrl, internalUrl, adminToken }: Pick<RunningServer, 'clientUrl' | 'internalUrl' | 'adminToken'>,
  { brandName, apiKey }: DemoBrand,
): string {
  const products = `${clientUrl}/v1/client/catalog/products`;
  const token =
    adminToken.file === null ? '$BRANDPORT_ADMIN_TOKEN' : `$(cat ${shellQuoted(adminToken.file)})`;
  return `
Welcome to Brandport. This first start created the brand "${brandName}" with a few products and an API key
that has every scope. The key is shown only once:

  ${apiKey}

Try it:

  curl -s -H 'Authorization: Bearer ${apiKey}' '${products}'
  curl -s -H 'Authorization: Bearer ${apiKey}' -H 'Idempotency-Key: welcome-1' -H 'Content-Type: application/json' -d '{"sku":"MUG-001","title":"Enamel mug","price_value":11.5}' '${products}'
  curl -s -H "Authorization: Bearer ${token}" '${internalUrl}/internal/v1/brands'

Guides             ${clientUrl}/docs/guides/
API reference      ${clientUrl}/docs/
Console            ${internalUrl}/console/ (sign in with the admin token)
Internal surface   ${internalUrl}/internal/docs/ (admin token: ${adminToken.file ?? 'BRANDPORT_ADMIN_TOKEN'})
To start without the demo brand: BRANDPORT_DEMO=0

`;
}

/** Returns the welcome as a line among those of a log in JSON. Not written by the logger, which never gets secrets [D246]. */
export function welcomeLine(
  { clientUrl, internalUrl, adminToken }: Pick<RunningServer, 'clientUrl' | 'internalUrl' | 'adminToken'>,
  { brandName, apiKey }: DemoBrand,
): string {
  const line = {
    level: 30,
    time: new Date(systemClock.now()).toISOString(),
    msg: 'demo brand created; its key is shown only here, and BRANDPORT_DEMO=0 starts without it',
    demo: { brand: brandName, api_key: apiKey },
    guides: `${clientUrl}/docs/guides/`,
    console: `${internalUrl}/console/`,
    admin_token: adminToken.file ?? 'BRANDPORT_ADMIN_TOKEN',
  };
  return `${JSON.stringify(line)}\n`;
}

const createBrand = 'npx brandport brands create --database "Maison Aurore"';
const createKey = 'npx brandport keys create --database --brand 1 --scopes all --name PIM';

/** Names the commands that create the first brand and its key, as a log line. */
export const firstSteps = `there is no brand yet: run ${createBrand}, then ${createKey}, with the environment of this server`;

/** The same for people. */
export const firstStepsText = `
There is no brand yet. Create one, and a key for it, with the environment of this server:

  ${createBrand}
  ${createKey}

`;

/** Quotes a word for a POSIX shell, also inside of double quotes' command substitution. */
function shellQuoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
