import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { LogDestination } from '../logger.ts';

const dir = mkdtempSync(join(tmpdir(), 'brandport-log-'));
after(() => rmSync(dir, { recursive: true, force: true }));

const lines = (count: number) => Array.from({ length: count }, (_, n) => `{"line":${n},"é":"😀"}\n`);

describe('the log', () => {
  it('is written in order and whole', async () => {
    const file = join(dir, 'whole');
    const destination = new LogDestination(openSync(file, 'w'));
    const text = lines(5_000);
    for (const line of text) destination.write(line);
    await waitFor('all lines', () => readFileSync(file, 'utf8') === text.join(''));
  });

  it('is written at once by a flush', () => {
    const file = join(dir, 'flushed');
    const destination = new LogDestination(openSync(file, 'w'));
    destination.write('{"last":true}\n');
    destination.flushSync();
    assert.equal(readFileSync(file, 'utf8'), '{"last":true}\n');
  });

  it('is kept up to its limit while the disk is full, and written when there is room', async () => {
    // A read-only descriptor refuses writes like a full disk; replacing its target makes room.
    const file = join(dir, 'full');
    writeFileSync(file, '');
    const fd = openSync(file, 'r');
    const destination = new LogDestination(fd, 100);
    for (const line of ['{"kept":1}\n', '{"kept":2}\n', `{"dropped":"${'x'.repeat(100)}"}\n`, '{"kept":3}\n'])
      destination.write(line);
    destination.flushSync();
    assert.equal(readFileSync(file, 'utf8'), '');
    closeSync(fd);
    assert.equal(openSync(file, 'a'), fd, 'the lowest free descriptor');
    await waitFor(
      'the kept lines',
      () => readFileSync(file, 'utf8') === '{"kept":1}\n{"kept":2}\n{"kept":3}\n',
    );
  });
});
