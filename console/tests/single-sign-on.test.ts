// processes: starts a server and a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerCanary } from '../../server/test/support/canaries.ts';
import { findFreePort } from '../../server/test/support/free-port.ts';
import { startIdentityProvider } from '../../server/test/support/identity-provider/identity-provider.ts';
import { program, startConsoleProcess } from './support/console-kit.ts';

// [internal-128] [D176] [D261]
describe('single sign-on in the console', { skip: program === null }, async () => {
  if (program === null) return;
  const port = await findFreePort();
  const consoleUrl = `http://127.0.0.1:${port}/console/`;
  const provider = await startIdentityProvider({
    consoleUrl,
    // Another site than the console's: the browser withholds `Strict` cookies on the way back.
    host: '127.0.0.2',
    users: {
      ada: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace', roles: ['admins'] },
      nora: { roles: ['guests'] },
    },
  });
  const { server, openSignedOut, assertWellMade } = await startConsoleProcess({
    BRANDPORT_INTERNAL_PORT: String(port),
    BRANDPORT_CONSOLE_URL: consoleUrl,
    BRANDPORT_OIDC_ISSUER: provider.issuer,
    BRANDPORT_OIDC_CLIENT_ID: provider.clientId,
    BRANDPORT_OIDC_CLIENT_SECRET: provider.clientSecret,
    BRANDPORT_OIDC_SCOPES: 'openid profile email roles',
    BRANDPORT_OIDC_ROLES: 'administrator=admins',
  });
  const { json: brand } = await server.admin.post('/brands', { name: 'Seen by Ada' });
  const isExpected = (problem: string) => /\b40[13]\b/.test(problem) || problem.includes(provider.issuer);

  it('signs in by keyboard at the place that was asked for, and again in another tab when the session ends', async () => {
    const opened = await openSignedOut(`/brands/${brand.id}/settings`, { isExpected });
    const { page } = opened;
    await page.locator('a:focus', { hasText: 'Sign in with single sign-on' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await page.getByText('Ada Lovelace').waitFor();
    assert.equal(page.url(), `${consoleUrl}brands/${brand.id}/settings`);
    const cookies = await page.context().cookies(consoleUrl);
    for (const { value } of cookies) registerCanary(value);
    const session = cookies.find(({ name }) => name === 'brandport-console');
    assert.deepEqual([session?.sameSite, session?.httpOnly], ['Strict', true]);

    const { json: sessions } = await server.admin.get('/sessions');
    assert.equal(sessions.data[0].actor, `ada@example.com (${provider.issuer.replace('http://', '')})`);
    const field = page.getByLabel('Name', { exact: true });
    await field.fill('Renamed by Ada');
    await server.admin.delete(`/sessions/${sessions.data[0].id}`);
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await opened.assertAccessible();
    const tab = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Sign in with single sign-on' }).press('Enter');
    // The provider remembers her, so the tab comes back without a question.
    await (await tab).getByText('Ada Lovelace').waitFor();
    await dialog.waitFor({ state: 'detached' });
    for (const { value } of await page.context().cookies(consoleUrl)) registerCanary(value);
    const renamed = async () => (await server.admin.get(`/brands/${brand.id}`)).json.name;
    await page.getByText('Renamed by Ada').first().waitFor();
    assert.equal(await renamed(), 'Renamed by Ada');
    opened.assertNoProblems();
    await opened.close();
  });

  it('looks well on a desk by day and on a phone by night, also where it refuses a user', async () => {
    for (const [viewport, colorScheme] of [
      [{ width: 1400, height: 900 }, 'light'],
      [{ width: 390, height: 844 }, 'dark'],
    ] as const) {
      const opened = await openSignedOut('/', { viewport, colorScheme, isExpected });
      const { page } = opened;
      await page.getByRole('link', { name: 'Sign in with single sign-on' }).waitFor();
      await assertWellMade(opened, `sign-in-${colorScheme}`);
      await page.keyboard.press('Enter');
      await page.getByLabel('Login').fill('nora');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
      await page.getByText('Its claim “roles” has “guests”').waitFor();
      await assertWellMade(opened, `sign-in-refused-${colorScheme}`);
      await page.getByRole('link', { name: 'Back to the sign-in' }).press('Enter');
      await page.getByLabel('Administrator token').waitFor();
      opened.assertNoProblems();
      await opened.close();
    }
  });
});
