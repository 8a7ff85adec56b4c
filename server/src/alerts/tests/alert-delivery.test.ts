// processes: waits ten seconds for a receiver that hangs
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeEach, describe, it } from 'node:test';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { sendAlerts } from '../send-alerts.ts';
import { accept, alertSecret, startWebhook } from './webhook.ts';

const apps = await createTestApps();
const { sql, clock } = apps;
const webhook = await startWebhook();
const target = { url: webhook.url, secrets: [alertSecret], consoleUrl: null };
const minuteMs = 60_000;

const send = (to = target, signal = new AbortController().signal) => sendAlerts(apps.context, to, signal);

/** Adds an alert that is due. */
async function addAlert(concern: string, minutesAgo = 0): Promise<void> {
  await sql(
    `insert into alerts (concern, kind, at, details, created_at, next_attempt_at)
     values ($1, 'doctor_found', $2, '{"run_id": "r", "differences": 2}', $3, $3)`,
    [concern, new Date(clock.now() - minutesAgo * minuteMs), new Date(clock.now())],
  );
}

/** The minutes until the next attempt of each alert; null: none. */
async function waits(): Promise<(number | null)[]> {
  const rows = await sql<{ at: Date | null }>('select next_attempt_at as at from alerts order by concern');
  return rows.map(({ at }) => (at === null ? null : Math.round((at.getTime() - clock.now()) / minuteMs)));
}

describe('an alert', () => {
  beforeEach(async () => {
    await sql('delete from alerts');
    webhook.take();
    webhook.respond = accept;
  });

  it('is signed as the documentation verifies it, by each of two secrets', async () => {
    const page = await readFile(new URL('../../../../docs/monitoring.md', import.meta.url), 'utf8');
    const code = /### Alerts to people[\s\S]*?```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const { isFromBrandport } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    await addAlert('signed');
    await send({ ...target, secrets: ['new-secret-of-32-characters-0000', alertSecret] });
    const [{ headers, text, body } = assert.fail()] = webhook.take();
    const header = headers['brandport-signature'] as string;
    assert.match(header, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(
      [body.kind, body.brand, body.details, body.url],
      ['doctor_found', null, { run_id: 'r', differences: 2 }, null],
    );
    assert.ok(isFromBrandport(header, text, alertSecret));
    assert.ok(isFromBrandport(header, text, 'new-secret-of-32-characters-0000'));
    assert.ok(!isFromBrandport(header, text, 'another secret'));
    assert.ok(!isFromBrandport(header, `${text} `, alertSecret));
    const time = Number(/^t=(\d+)/.exec(header)?.[1]);
    assert.ok(!isFromBrandport(header.replace(String(time), String(time + 1)), text, alertSecret));
    for (const broken of ['', 't=1', 'v1=', `t=${time},v1=zz`, `t=${time},v1=${'0'.repeat(63)}`])
      assert.ok(!isFromBrandport(broken, text, alertSecret), broken);
    const former = time - 600;
    const signature = createHmac('sha256', alertSecret).update(`${former}.${text}`).digest('hex');
    assert.ok(!isFromBrandport(`t=${former},v1=${signature}`, text, alertSecret), 'an old one');
  });

  it('arrives once the receiver is back after 23 hours, with the same id, after waits that double', async () => {
    await addAlert('one');
    await webhook.stop();
    for (const expected of [1, 2, 4, 8, 16, ...Array<number>(45).fill(30)]) {
      await assert.rejects(
        send(),
        /^Error: alert [0-9a-f-]{36} \(doctor_found\) was not delivered to 127\.0\.0\.1:\d+: ECONNREFUSED$/,
      );
      assert.deepEqual(await waits(), [expected]);
      assert.deepEqual(await send(), { added: 0, sent: 0 });
      clock.advance(expected * minuteMs);
    }
    await webhook.start();
    const [{ id } = assert.fail()] = await sql<{ id: string }>('select id from alerts');
    assert.deepEqual(await send(), { added: 0, sent: 1 });
    assert.deepEqual(
      webhook.take().map(({ body }) => body.id),
      [id],
    );
    assert.deepEqual(await waits(), [null]);
  });

  it('that is refused does not keep later ones waiting, and is given up after a day', async () => {
    await addAlert('a', 5);
    await addAlert('b', 4);
    webhook.respond = (response) => void response.writeHead(500).end('x'.repeat(100));
    await assert.rejects(send(), /was not delivered to 127\.0\.0\.1:\d+: status 500$/);
    webhook.respond = (response) => {
      webhook.respond = (later) => void later.writeHead(400).end();
      accept(response);
    };
    assert.deepEqual(await send(), { added: 0, sent: 1 });
    let attempts = 1;
    for (let next = await waits(); next[0] != null; next = await waits()) {
      clock.advance(next[0] * minuteMs);
      await assert.rejects(send(), next[0] === null ? /never/ : /status 400$/);
      attempts += 1;
    }
    assert.ok(attempts > 45 && attempts < 55, `${attempts} attempts`);
    clock.advance(100 * minuteMs);
    assert.deepEqual(await send(), { added: 0, sent: 0 });
    assert.equal((await sql('select 1 from alerts where sent_at is null')).length, 1);
  });

  it('follows no redirect', async () => {
    await addAlert('redirected');
    for (const status of [301, 302, 307, 308]) {
      webhook.respond = (response) => void response.writeHead(status, { location: webhook.url }).end();
      await assert.rejects(send(), new RegExp(`status ${status}$`));
      assert.equal(webhook.take().length, 1);
      clock.advance(30 * minuteMs);
    }
  });

  it('does not wait for a receiver that hangs, and another worker does not send it meanwhile', async () => {
    await addAlert('hanging');
    webhook.respond = () => {};
    const startedAt = performance.now();
    const first = assert.rejects(send(), /was not delivered to \S+: no response within 10 s$/);
    await waitFor('the request', () => webhook.received.length > 0);
    assert.deepEqual(await send(), { added: 0, sent: 0 });
    await first;
    assert.ok(performance.now() - startedAt < 15_000);
    assert.equal(webhook.take().length, 1);
  });

  it('is accepted by the status alone: an endless body is not read', async () => {
    await addAlert('huge');
    let written = 0;
    webhook.respond = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536);
      const write = () => {
        while (!response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    };
    assert.deepEqual(await send(), { added: 0, sent: 1 });
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes`);
  });

  it('waits for the next worker if this one stops', async () => {
    await addAlert('stopped');
    const stopping = new AbortController();
    webhook.respond = () => stopping.abort(new Error('worker stopping'));
    await assert.rejects(send(target, stopping.signal), /^Error: worker stopping$/);
    assert.deepEqual(await waits(), [1]);
  });
});
