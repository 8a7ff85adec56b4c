// nightly: restarts servers under a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServerProcess } from '../../server/test/support/server-process.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { program, startConsoleProcess } from './support/console-kit.ts';

const isAway = (problem: string) =>
  problem.includes('ERR_CONNECTION') || problem.includes('ERR_INTERNET') || problem.includes('503');

describe('the console while the server restarts', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open } = await startConsoleProcess();
  const { admin } = server;

  it('opens a page whose script it does not have yet as soon as the server is back, without a new load', async () => {
    const opened = await open('/brands', { isExpected: isAway });
    const { page } = opened;
    await page.getByRole('link', { name: 'New brand' }).first().waitFor();
    await page.evaluate('window.isSameLoad = true');
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByText('This page opens as soon as it can.').waitFor();
    await opened.assertAccessible();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    assert.equal(await page.evaluate('window.isSameLoad'), true);
    opened.assertNoProblems();
    await opened.close();
  });

  it('has the scripts of all pages some seconds after the first load', async () => {
    const opened = await open('/brands', { isExpected: isAway });
    const { page } = opened;
    const loaded = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('-page')).length`;
    await waitFor('the scripts', async () => Number(await page.evaluate(loaded)) > 25);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Doctor' }).click();
    await page.getByRole('heading', { name: 'Doctor' }).waitFor();
    await opened.close();
  });

  it('creates one key when the server was stopped between the two attempts of a form', async () => {
    const { json: brand } = await admin.post('/brands', { name: 'Restarted' });
    const opened = await open(`/brands/${brand.id}/keys/new`, { isExpected: isAway });
    const { page } = opened;
    await page.getByLabel('Name').fill('PIM');
    await page.getByLabel('catalog.products:read').check();
    const sameEnv = {
      BRANDPORT_DATA_DIR: server.dataDir,
      PORT: new URL(server.clientUrl).port,
      BRANDPORT_INTERNAL_PORT: new URL(server.internalUrl).port,
    };
    const session = await page.context().newCDPSession(page);
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/keys', requestStage: 'Response' }] });
    const lost = new Promise<void>((resolve) => {
      session.once('Fetch.requestPaused', async ({ requestId }) => {
        await server.stop();
        await startServerProcess({ env: sameEnv });
        await session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' });
        await session.send('Fetch.disable');
        resolve();
      });
    });
    await page.getByRole('button', { name: 'Create the key' }).click();
    await lost;
    await page.getByText('nothing is made twice').waitFor();
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByText('The secret was shown to nobody').waitFor();
    assert.equal((await admin.get(`/brands/${brand.id}/keys`)).json.meta.total, 1);
    await opened.close();
  });
});
