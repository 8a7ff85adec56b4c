import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { StoreTrouble } from '../../../../../server/src/analytics/store/store-databases.ts';
import { ClickHouse, isClickHouseTimeout } from '../clickhouse.ts';

let code = 0;
/** The beginning of a response that fails late; null: it fails before. */
let begun: string | null = null;
const server = createServer((request, response) => {
  request.resume();
  if (begun !== null) {
    response.writeHead(200, { 'x-clickhouse-exception-tag': 'PU1FNUFH98' }).write(begun);
    const text = `Code: ${code}. DB::Exception: Made by a test. (SOME_NAME) (version 26.7.3.1)\n`;
    return void response.end(
      `\r\n__exception__\r\nPU1FNUFH98\r\n${text}${text.length} PU1FNUFH98\r\n__exception__\r\n`,
    );
  }
  response.writeHead(500, { 'x-clickhouse-exception-code': String(code) });
  response.end(
    `Code: ${code}. DB::Exception: Made by a test. (SOME_NAME) (version 26.7.3.1 (official build))\n`,
  );
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const clickHouse = new ClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
  answerMs: 10_000,
  connections: 2,
});
after(async () => {
  await clickHouse.close();
  server.close();
});

const isAway = (error: unknown) => error instanceof StoreTrouble && error.isUnavailable;

/** The errors of a read, a statement and an insert that ClickHouse refuses. */
async function errorsOf(refusedWith: number): Promise<unknown[]> {
  code = refusedWith;
  const refused = [
    clickHouse.read('select 1'),
    clickHouse.run('select 1'),
    clickHouse.insert('t', ['a'], '1\n'),
  ];
  return (await Promise.allSettled(refused)).map(
    (outcome) => outcome.status === 'rejected' && outcome.reason,
  );
}

// [analytics-43]
describe('an error of ClickHouse, as its client reports it', () => {
  it('means "unavailable" if it is one of time, memory, network, replicas or quorum', async () => {
    for (const number of [159, 160, 202, 209, 210, 241, 242, 252, 285, 319])
      for (const error of await errorsOf(number)) assert.ok(isAway(error), `${number}: ${error}`);
  });

  it('is a defect if a statement is wrong', async () => {
    for (const number of [47, 62])
      for (const error of await errorsOf(number)) assert.equal(isAway(error), false);
  });

  it('is thrown if it comes after the first rows, with a status of 200', async () => {
    for (const rows of ['', '1,2\n', '"a\r\n__exception__\r\nb",'.repeat(50_000)]) {
      begun = rows;
      code = 241;
      for (const read of [() => clickHouse.read('select 1'), () => clickHouse.numbers('select 1')])
        await assert.rejects(
          read,
          (error) => isAway(error) && /refused .*Made by a test/.test(String(error)),
        );
      code = 159;
      await assert.rejects(clickHouse.rows('select 1'), isClickHouseTimeout);
    }
    begun = null;
  });

  it('tells a statement that took too long from others', async () => {
    for (const error of await errorsOf(159)) assert.ok(isClickHouseTimeout(error));
    for (const error of await errorsOf(241)) assert.equal(isClickHouseTimeout(error), false);
  });
});
