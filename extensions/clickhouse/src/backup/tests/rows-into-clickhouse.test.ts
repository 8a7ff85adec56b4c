import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, it } from 'node:test';
import { createClickHouseDatabase } from '../../../test/support/clickhouse-database.ts';
import { isClickHouseInstalled } from '../../../test/support/clickhouse-engine.ts';
import { ClickHouse } from '../../store/clickhouse.ts';
import { rowsIntoClickHouse } from '../rows-into-clickhouse.ts';

const never = new AbortController().signal;

describe('rows that stream into ClickHouse', { skip: !isClickHouseInstalled() }, async () => {
  if (!isClickHouseInstalled()) return;
  const { url, beforeClose } = await createClickHouseDatabase();
  const clickHouse = new ClickHouse(url, { answerMs: 60_000, connections: 2 });
  beforeClose(() => clickHouse.close());
  const names = ['plain', 'tab \\t', 'line \\n', 'back \\\\', '\u{1f600} é', ''];
  const lines = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n}\t${names[n % names.length]} ${n}\n`).join('');

  /** Streams the text in pieces of some bytes, which may cut characters and lines. */
  const send = async (number: number, text: string, { piece = 7, limit = 100 } = {}, signal = never) => {
    const bytes = Buffer.from(text);
    const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, n) =>
      bytes.subarray(n * piece, (n + 1) * piece),
    );
    const table = `restored_${number}`;
    await clickHouse.run(`create table ${table} (id Int64, name String) order by id`);
    const rows = rowsIntoClickHouse(clickHouse, { table, columns: ['id', 'name'] }, signal, limit);
    return pipeline(Readable.from(pieces, { objectMode: false }), rows, { signal });
  };
  const read = async (number: number) => {
    let text = '';
    await clickHouse.readStream(`select id, name from restored_${number} order by id`, {}, async (stream) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      text = Buffer.concat(chunks).toString();
    });
    return text;
  };

  it('arrive once, wherever chunks and statements end', async () => {
    await send(1, lines(60));
    await send(2, lines(60), { piece: 64 * 1024, limit: 1 });
    await send(3, lines(500), { piece: 1_000, limit: 1_000_000 });
    await send(4, '');
    assert.equal(await read(1), lines(60));
    assert.equal(await read(2), lines(60));
    assert.equal(await read(3), lines(500));
    assert.equal(await read(4), '');
  });

  it('end with the error of a refused row, and when they are cancelled', async () => {
    await assert.rejects(send(5, `${lines(40)}no number\tx\n${lines(40)}`), /no number|CANNOT_PARSE|parse/i);
    const cancelled = new AbortController();
    cancelled.abort(new Error('enough'));
    await assert.rejects(send(6, lines(40), {}, cancelled.signal));
    assert.equal(await read(6), '');
  });
});
