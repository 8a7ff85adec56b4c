import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestApps, testAdminToken } from '../../../test/support/test-apps.ts';

const apps = await createTestApps({ limits: { admin_failures: 30 } });
const get = (token: string | null, remoteAddress: string, app = apps.internalApp) =>
  app.inject({
    url: '/internal/v1/brands',
    remoteAddress,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
const wrongTokens = ['wrong', 'bpa_0123456789abcdef01234567.0123456789012345678901234567890123456789', 'a b'];

async function fail(times: number, address: string): Promise<number[]> {
  const answers = Array.from({ length: times }, (_, index) => get(wrongTokens[index % 3] ?? '', address));
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
}

// [internal-180]
describe('wrong bearer tokens on the internal listener', () => {
  it('are 401 up to the limit of the address, and from then on every token is 429', async () => {
    const statuses = await fail(40, '203.0.113.1');
    assert.equal(statuses.filter((status) => status === 401).length, 30);
    assert.equal(statuses.filter((status) => status === 429).length, 10);
    for (const token of ['wrong', testAdminToken]) {
      const refused = await get(token, '203.0.113.1');
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.json().code, 'rate_limited');
      const seconds = Number(refused.headers['retry-after']);
      assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
    }
    assert.equal((await get(testAdminToken, '203.0.113.2')).statusCode, 200);
  });

  it('are counted, not right ones or requests without a token', async () => {
    for (let request = 0; request < 40; request += 1) {
      assert.equal((await get(testAdminToken, '203.0.113.3')).statusCode, 200);
      assert.equal((await get(null, '203.0.113.3')).statusCode, 401);
    }
    assert.ok((await fail(29, '203.0.113.3')).every((status) => status === 401));
    assert.equal((await get(testAdminToken, '203.0.113.3')).statusCode, 200);
  });

  it('are not limited with 0', async () => {
    const unlimited = await createTestApps({ limits: { admin_failures: 0 } });
    for (let request = 0; request < 40; request += 1)
      assert.equal((await get('wrong', '203.0.113.4', unlimited.internalApp)).statusCode, 401);
  });
});
