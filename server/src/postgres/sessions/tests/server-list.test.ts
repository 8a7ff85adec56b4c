import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServerHost } from '../database-url.ts';
import { ServerList, type ServerState } from '../server-list.ts';
import { RecoveringError } from '../session-errors.ts';

const [a, b, c] = ['a', 'b', 'c'].map((host) => ({ host, port: 5432 })) as [
  ServerHost,
  ServerHost,
  ServerHost,
];
type State = ServerState | 'standby' | 'down' | 'hangs';

/** A list whose servers are in the given states, which the test changes. */
function listOf(states: Record<string, State>) {
  let probes = 0;
  const list = new ServerList([a, b, c], async ({ host }) => {
    probes += 1;
    const state = states[host] as State;
    if (state === 'standby') throw new RecoveringError();
    if (state === 'down') throw Object.assign(new Error(`${host} is down`), { code: 'ECONNREFUSED' });
    if (state === 'hangs') return new Promise(() => {});
    return state;
  });
  return { list, probes: () => probes };
}

// [D186]
describe('the servers of a DATABASE_URL', () => {
  it('are asked at once; the one that accepts writes is chosen, without waiting for one that hangs', async () => {
    const { list, probes } = listOf({ a: 'hangs', b: 'standby', c: 'writable' });
    assert.deepEqual(await Promise.all([list.choose(), list.choose()]), [c, c]);
    assert.equal(probes(), 3, 'one search for both');
    assert.equal(await list.choose(), c);
    assert.equal(probes(), 3, 'the last good one is remembered');
  });

  it('are asked again once the chosen one failed, and listeners hear of a move only', async () => {
    const states: Record<string, State> = { a: 'writable', b: 'standby', c: 'down' };
    const { list } = listOf(states);
    const moves: ServerHost[] = [];
    const stop = list.onMove((server) => moves.push(server));
    assert.equal(await list.choose(), a);
    list.failed(a);
    assert.equal(await list.choose(), a);
    assert.deepEqual(moves, []);
    Object.assign(states, { a: 'down', b: 'writable' });
    list.failed(c);
    assert.equal(await list.choose(), a, 'another server failed');
    list.failed(a);
    assert.equal(await list.choose(), b);
    assert.deepEqual(moves, [b]);
    stop();
    Object.assign(states, { a: 'writable', b: 'down' });
    list.failed(b);
    assert.equal(await list.choose(), a);
    assert.deepEqual(moves, [b]);
  });

  it('serve reads from a read-only primary if no other accepts writes', async () => {
    assert.equal(await listOf({ a: 'down', b: 'read_only', c: 'standby' }).list.choose(), b);
    assert.equal(await listOf({ a: 'writable', b: 'read_only', c: 'standby' }).list.choose(), a);
  });

  it('fail with the reason of one that is no standby, and are asked again the next time', async () => {
    const states: Record<string, State> = { a: 'standby', b: 'down', c: 'standby' };
    const { list } = listOf(states);
    await assert.rejects(list.choose(), (error: NodeJS.ErrnoException) => {
      const standby = 'the database server is in recovery: a standby, or a primary that is not promoted yet';
      assert.equal(
        error.message,
        `none of 3 servers can be used (a:5432: ${standby}; b:5432: b is down; c:5432: ${standby})`,
      );
      return error.code === 'ECONNREFUSED';
    });
    states['b'] = 'standby';
    await assert.rejects(list.choose(), RecoveringError);
    states['c'] = 'writable';
    assert.equal(await list.choose(), c);
  });
});
