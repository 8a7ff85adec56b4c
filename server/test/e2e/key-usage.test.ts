import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopes } from '../../src/api/access.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

// [internal-75]
describe('the usage of a key', () => {
  it('is the sum over all processes, which write what they have counted when they stop', async () => {
    const env = { DATABASE_URL: databaseUrl(await createDatabase()) };
    const first = await startServerProcess({ env });
    const second = await startServerProcess({ env });
    const brand = await ok(first.admin.post('/brands', { name: 'Used' }), 201);
    const key = await ok(first.admin.post(`/brands/${brand.id}/keys`, { name: 'Key', scopes }), 201);
    const clients = [first, second].map((server) => server.clientWith(key.api_key));
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: 50 }, () => ok(client.get('/catalog/products')))),
    );
    assert.deepEqual([(await second.stop()).code, (await first.stop()).code], [0, 0]);

    const third = await startServerProcess({ env });
    const { data } = await ok(third.admin.get(`/keys/${key.key_id}/usage?step=hour`));
    const sum = data.reduce((total: number, { requests }: { requests: number }) => total + requests, 0);
    assert.equal(sum, 100);
    const shown = await ok(third.admin.get(`/keys/${key.key_id}`));
    assert.notEqual(shown.last_used_at, null);
    await third.stop();
  });
});
