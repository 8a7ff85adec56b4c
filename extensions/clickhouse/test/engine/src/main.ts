import { fstatSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Engine } from './engine.ts';
import { createHttpInterface } from './http-interface.ts';
import { loadNativeEngine } from './native-engine.ts';

/**
 * Serves ClickHouse's HTTP interface on loopback. Prints `{"port":…}` when it accepts requests. If standard input is a
 * pipe, exits when it ends, which it does with the parent, even if that is killed.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
    password: { type: 'string', default: '' },
  },
});
if (values.data === undefined) throw new Error('--data=<directory> is missing');
const directory = resolve(values.data);
mkdirSync(directory, { recursive: true });

// Not closed first: a query may be running, and its connection must not be closed. The files survive a kill as well.
const input = fstatSync(0);
if (input.isFIFO() || input.isSocket()) {
  process.stdin.on('end', () => process.exit(0)).resume();
  process.stdin.on('error', () => process.exit(0));
}

const engine = new Engine(loadNativeEngine(), directory);
const server = await createHttpInterface(engine, values.password);
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
