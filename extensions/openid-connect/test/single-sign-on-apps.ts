import type { SingleSignOnConfig } from '../../../server/src/access/sessions/single-sign-on.ts';
import {
  type IdentityProviderOptions,
  startIdentityProvider,
  type TestIdentityProvider,
} from '../../../server/test/support/identity-provider/identity-provider.ts';
import { createTestApps, type TestApps } from '../../../server/test/support/test-apps.ts';
import { ConsoleBrowser, consoleUrl } from './console-browser.ts';

/** The users of the tests, by what they show. */
const users = {
  ada: {
    email: 'ada@example.com',
    email_verified: true,
    preferred_username: 'ada',
    name: 'Ada Lovelace',
    roles: ['staff', 'admins'],
  },
  otto: { preferred_username: 'otto', roles: ['shop-one', 'helpdesk', 'shop-two'] },
  sue: { email: 'sue@example.com', email_verified: false, roles: 'helpdesk' },
  kay: { realm_access: { roles: ['admins'] }, roles: ['unknown <b>', 'other'] },
  nora: { groups: ['admins'] },
};

export interface SingleSignOnApps {
  readonly apps: TestApps;
  readonly provider: TestIdentityProvider;
  readonly config: SingleSignOnConfig;
  newBrowser(): ConsoleBrowser;
}

/** Starts a provider, and the apps with it. Each browser has its own address, because sign-ins count by address. */
export async function createSingleSignOnApps({
  config: changes = {},
  provider: options = {},
}: {
  readonly config?: Partial<SingleSignOnConfig>;
  readonly provider?: Partial<IdentityProviderOptions>;
} = {}): Promise<SingleSignOnApps> {
  const provider = await startIdentityProvider({ consoleUrl, users, ...options });
  const { issuer, clientId, clientSecret } = provider;
  const config: SingleSignOnConfig = {
    issuer,
    clientId,
    clientSecret,
    consoleUrl,
    scopes: 'openid profile email roles',
    rolesClaim: 'roles',
    roles: [
      { value: 'admins', role: 'administrator', brandIds: null },
      { value: 'shop-one', role: 'operator', brandIds: [1] },
      { value: 'shop-two', role: 'operator', brandIds: [2, 1] },
      { value: 'helpdesk', role: 'support', brandIds: null },
    ],
    ...changes,
  };
  const apps = await createTestApps({ singleSignOn: config, trustedProxies: ['127.0.0.1/32'] });
  let addresses = 0;
  const newBrowser = () => {
    addresses += 1;
    return new ConsoleBrowser(apps.internalApp, { 'x-forwarded-for': `203.0.113.${addresses}` });
  };
  return { apps, provider, config, newBrowser };
}
