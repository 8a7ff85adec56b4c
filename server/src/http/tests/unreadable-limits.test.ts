import assert from 'node:assert/strict';
import { it } from 'node:test';
import { counterAt } from '../../../test/support/assert-refused.ts';
import { exchange, listenOn, RawConnection, type RawResponse } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { assertDenied, figures } from './limit-headers.ts';

const apps = await createTestApps({ limits: { address: 6 } });
const { apiKey } = await apps.newBrand();
const port = await listenOn(apps.clientApp);
const internalPort = await listenOn(apps.internalApp);

const breaking = [
  'GET /healthz HTTP/1.1\r\n\r\n',
  'NONSENSE\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\n\r\n',
  'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n',
  'POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'GET /%zz HTTP/1.1\r\n\r\n',
];

async function answerOf(toPort: number, bytes: string): Promise<RawResponse> {
  const connection = new RawConnection(toPort);
  connection.write(bytes);
  const [answer, second] = await connection.responses();
  assert.ok(answer && second === undefined);
  return answer;
}

// [platform-74]
it('what breaks the protocol counts against the address, and is 429 once its bucket is empty', async () => {
  for (const [i, bytes] of breaking.entries())
    assert.deepEqual(figures(await answerOf(port, bytes)), [6, 5 - i]);
  for (const bytes of breaking) assertDenied(await answerOf(port, bytes), 6);
  assert.equal(await counterAt(apps.metrics, 'brandport_rate_limit_denials_total', { bucket: 'address' }), 6);
  const headers = [['Authorization', `Bearer ${apiKey}`]] as const;
  assert.equal((await exchange(port, { path: '/v1/client/catalog/status', headers })).status, 200);
});

it('nothing is counted on the internal listener', async () => {
  for (let round = 0; round < 2; round += 1)
    for (const bytes of breaking) {
      const answer = await answerOf(internalPort, bytes);
      assert.equal(answer.json.code, 'bad_request');
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
    }
});
