import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logLines } from '../../../test/support/log-capture.ts';
import { listenOn, RawConnection } from '../../../test/support/raw-connection.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';

const apps = await createTestApps({ bodies: { times: { headersMs: 400 } } });
const { server } = apps.clientApp;
const port = await listenOn(apps.clientApp);
const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

describe('an idle connection', () => {
  it('that never sent anything is closed without an answer, and is no request', async () => {
    logLines.take();
    assert.deepEqual(await new RawConnection(port).responses(), []);
    assert.deepEqual(
      logLines.take().filter((line) => line.includes('"(unreadable)"')),
      [],
    );
  });

  it('that carried a request stays open for longer than load balancers keep theirs', () => {
    assert.ok(server.keepAliveTimeout > 60_000);
  });

  it('that carried a request is closed without another answer', async () => {
    const usual = server.keepAliveTimeout;
    server.keepAliveTimeout = 100;
    const connection = new RawConnection(port);
    connection.write(request);
    assert.equal((await connection.response()).status, 200);
    assert.deepEqual(await connection.responses(), []);
    server.keepAliveTimeout = usual;
  });

  it('that stops in its second request is answered 408 once', async () => {
    const connection = new RawConnection(port);
    connection.write(`${request}GET /healthz HTTP/1.1\r\nHost:`);
    const answers = await connection.responses();
    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.code]),
      [
        [200, undefined],
        [408, 'request_timeout'],
      ],
    );
  });

  it('with a header every now and then does not last', async () => {
    const connection = new RawConnection(port);
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const drip = setInterval(() => connection.write('X-A: b\r\n'), 50);
    const [answer, second] = await connection.responses();
    clearInterval(drip);
    assert.deepEqual([answer?.status, answer?.json.code, second], [408, 'request_timeout', undefined]);
  });
});
