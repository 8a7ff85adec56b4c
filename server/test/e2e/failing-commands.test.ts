import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../src/commands/program.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { listeningUrl } from '../support/listening-url.ts';
import { runCommand } from '../support/run-command.ts';
import { makeDataDir } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';

const dataDir = await makeDataDir();
const missing = join(dataDir, 'no-such-folder', 'file.tar');

/** A command line of each command, with arguments that name nothing that exists. */
const commandLines: Readonly<Record<string, readonly string[]>> = {
  serve: [],
  migrate: [],
  aggregate: ['--brand', '999'],
  doctor: [],
  backup: [missing],
  restore: [missing],
  'after-recovery': [],
  'move-to': ['postgresql://nobody:wrong@127.0.0.1:1/none'],
  retain: [],
  'analytics copy': [],
  'brands create': ['X', '--currency', 'nonsense'],
  'keys create': ['--brand', '999', '--scopes', 'all'],
  sandbox: ['--keep', missing],
};

function leavesOf(command: Command, path: readonly string[] = []): string[] {
  const children = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  const acts = children.length === 0 || command.registeredArguments.length > 0;
  return acts ? [path.join(' '), ...children] : children;
}

const good = databaseUrl(await createDatabase());
assert.equal((await runCommand({ DATABASE_URL: good, BRANDPORT_DATA_DIR: dataDir }, 'migrate')).code, 0);
const at = (change: (url: URL) => void) => {
  const url = new URL(good);
  change(url);
  return url.href;
};

/** Answers every request with an error, as ClickHouse does. */
async function startRefusingClickHouse(code: number, type: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(code === 516 ? 403 : 404, { 'x-clickhouse-exception-code': String(code) });
    response.end(
      `Code: ${code}. DB::Exception: Made by a test. (${type}) (version 26.7.3.1 (official build))\n`,
    );
  });
  return `${(await listeningUrl(server)).replace('//', '//brandport:wrong@')}/brandport`;
}

/** Settings that are wrong, each in one way. */
const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'arguments that name nothing': {},
  'a wrong password or role': {
    DATABASE_URL: at((url) => {
      url.username = 'nobody';
      url.password = 'wrong';
    }),
  },
  'an unknown database': {
    DATABASE_URL: at((url) => {
      url.pathname = '/no_such_database';
    }),
  },
  'a database that does not answer': { DATABASE_URL: 'postgresql://brandport:x@127.0.0.1:1/brandport' },
  'a wrong ClickHouse password': {
    BRANDPORT_CLICKHOUSE_URL: await startRefusingClickHouse(516, 'AUTHENTICATION_FAILED'),
  },
  'an unknown ClickHouse database': {
    BRANDPORT_CLICKHOUSE_URL: await startRefusingClickHouse(81, 'UNKNOWN_DATABASE'),
  },
};

/** Commands that do their work in spite of the fault; `serve` would go on without its analytics store. */
const unaffected: Readonly<Record<string, RegExp>> = {
  serve: /arguments|ClickHouse/,
  migrate: /arguments|ClickHouse/,
  'after-recovery': /arguments|ClickHouse/,
  doctor: /arguments/,
  retain: /arguments/,
  usage: /arguments/,
};

// [internal-179] [D145]
// Three at a time: some wait half a minute for a database.
describe('a command that fails for a reason that a person can cause says it in sentences', {
  concurrency: 3,
}, () => {
  it('and every command is tried here', () => {
    const program = createProgram(async () => {});
    assert.deepEqual(leavesOf(program).sort(), Object.keys(commandLines).sort());
  });

  for (const [name, args] of Object.entries(commandLines).filter(([n]) =>
    ['analytics copy', 'usage'].includes(n),
  ))
    for (const [fault, env] of Object.entries(faults)) {
      if (unaffected[name]?.test(fault) === true) continue;
      it(`brandport ${name}, with ${fault}`, async () => {
        const settings = { DATABASE_URL: good, BRANDPORT_DATA_DIR: dataDir, ...env };
        const { code, stderr } = await runCommand(settings, ...name.split(' '), ...args);
        assert.ok(code === 1 || code === 2, `${code}: ${stderr}`);
        assertSentences(stderr);
      });
    }
});

function assertSentences(stderr: string): void {
  assert.match(stderr, /\w+ \w+/);
  assert.doesNotMatch(stderr, /^\s+at .*:\d+/m);
  assert.doesNotMatch(stderr, /unexpectedly/);
}
