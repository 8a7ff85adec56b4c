import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFilamentDatabase } from '../data-sets/open-filament-database.ts';
import { DemoError } from '../demo-error.ts';
import { examine } from '../doctor.ts';
import { createProducts } from '../products/create-products.ts';
import { startDemoUnderTest } from './demo.ts';

const { server, run, testDatabase } = await startDemoUnderTest();
const neverEnding = new AbortController().signal;

test('sound data is reported as such, and a counter that is wrong is found while the server is running', async () => {
  const dataSet = {
    ...openFilamentDatabase,
    files: [],
    run: async (current: Parameters<typeof openFilamentDatabase.run>[0]) => {
      const brand = await current.newBrand(['catalog.products:write']);
      await createProducts(current, brand, [{ sku: 'A', title: 'A', is_active: true }]);
    },
  };
  await run([dataSet]);
  const sound = await examine(server, neverEnding);
  assert.deepEqual(sound, { isSound: true, text: 'Examined 1 brand: everything adds up.\n' });

  await testDatabase.sql('update brand_catalogs set products_total = 7');
  const ill = await examine(server, neverEnding);
  assert.equal(ill.isSound, false);
  assert.match(ill.text, /is 7, should be 1/);
});

test('a doctor that cannot reach the database does not count as a finding', async () => {
  const env = { ...server.env, DATABASE_URL: 'mysql://localhost/x' };
  await assert.rejects(
    examine({ env }, neverEnding),
    (error) =>
      error instanceof DemoError && /doctor ended with exit code 2.*\n.*DATABASE_URL/s.test(error.message),
  );
});
