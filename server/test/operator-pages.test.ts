import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { parts } from '../../bench/src/parts/index.ts';
import { entries } from '../../cli/src/commands/entries.ts';
import { newAdministratorToken } from '../src/access/administrators/administrator.ts';
import { newApiKey } from '../src/access/api-keys/api-key.ts';
import { createProgram } from '../src/commands/program.ts';
import { listSettings, loadConfig } from '../src/config.ts';
import { projectDir } from './support/server-process.ts';
import { createTestApps } from './support/test-apps.ts';

// The names on the pages for operators are those of the code: variables, metrics, commands and scripts.

const cwd = projectDir;
const files = ['*.md', 'docs/**/*.md', 'bench/README.md', 'deploy/**/*'];
const paths = (await Array.fromAsync(glob(files, { cwd, withFileTypes: true })))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));
// What was removed is named where a changelog says so.
const removed = /\n### Removed\n[\s\S]*?(?=\n###? |$)/g;
const read = async (path: string) => [path, (await readFile(path, 'utf8')).replace(removed, '')] as const;
const pages = new Map(await Promise.all(paths.map(read)));
const page = (path: string) => pages.get(join(cwd, path)) as string;
const operations = `${page('docs/operations.md')}\n${page('docs/monitoring.md')}`;
const section = (heading: string) => operations.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Returns each match of the first group on any page, with the page. */
function mentions(pattern: RegExp): { path: string; name: string }[] {
  return [...pages].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ path: relative(cwd, path), name })),
  );
}

/** Asserts that what the pages name exists. There are more than `some` mentions: the pattern still finds them. */
function assertExist(named: readonly { name: string }[], some: number, exists: (name: string) => boolean) {
  assert.ok(named.length > some, String(named.length));
  assert.deepEqual(
    named.filter(({ name }) => !exists(name)),
    [],
  );
}

describe('variables', () => {
  const variables = new Set(listSettings().map(({ name }) => name));

  it('exist if a page names them', () => {
    // Of clients, and of the command line.
    const clients = ['BRANDPORT_URL', 'BRANDPORT_API_KEY', 'BRANDPORT_INTERNAL_URL', 'BRANDPORT_PROFILE'];
    const named = mentions(/(?<![\w/])(BRANDPORT_[A-Z_]*[A-Z])(?![\w…])/g);
    assertExist(named, 80, (name) => variables.has(name) || clients.includes(name));
  });

  it('have the defaults that docs/configuration.md shows', () => {
    const rows = [...page('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \| `([^`]+)` \|/gm)];
    const shown = Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]));
    assert.ok(rows.length > 15);
    const { givenSettings, ...config } = loadConfig(shown, '/srv');
    assert.deepEqual([...givenSettings].sort(), Object.keys(shown).sort());
    assert.deepEqual({ ...config, givenSettings: new Set() }, loadConfig({}, '/srv'));
  });
});

describe('metrics', async () => {
  const { internalApp } = await createTestApps();

  it('have a row each in docs/monitoring.md, and exist if a page names them', async () => {
    const { body } = await internalApp.inject('/metrics');
    // Registered by the listeners, and only with `REDIS_URL`: deploy/monitoring.test.ts reads them from a process.
    const others = ['brandport_http_connections', 'brandport_redis_up'];
    const served = [...others, ...[...body.matchAll(/^# TYPE (brandport_\w+)/gm)].map(([, name]) => name)];
    const rows = [...section('Probes and metrics').matchAll(/^\| (`brandport_.+?) \|/gm)];
    const listed = rows.flatMap(([, cell = '']) => cell.match(/brandport_\w+/g) ?? []);
    assert.deepEqual(listed.toSorted(), served.toSorted());
    const named = mentions(/(?<![\w/])(brandport_[a-z_]+)(?![a-z_]|\.py)/g);
    const withoutSuffix = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
    assertExist(named, 40, (name) => served.includes(name) || served.includes(withoutSuffix(name)));
  });
});

/** A command's name with those of its groups, and its options. */
interface Leaf {
  readonly name: string;
  readonly options: readonly string[];
}

function leavesOf(command: Command, groups = ''): Leaf[] {
  return command.commands.flatMap((child) => {
    const name = `${groups}${child.name()}`;
    const children = leavesOf(child, `${name} `);
    if (children.length > 0 && child.registeredArguments.length === 0) return children;
    return [{ name, options: child.options.map(({ long }) => long ?? '').toSorted() }, ...children];
  });
}

describe('commands', () => {
  const leaves = leavesOf(createProgram(async () => {}));

  it('are in the table of docs/operations.md with all their options', () => {
    const spans = [...section('Commands').matchAll(/`… ([^`]+)`/g)].map(([, span]) => span as string);
    const listed = spans.map((span) => ({
      name: span.match(/^[a-z]+(?:[- ][a-z]+)*/)?.[0] ?? '',
      options: (span.match(/--[a-z-]+/g) ?? []).toSorted(),
    }));
    const byName = (a: Leaf, b: Leaf) => (a.name < b.name ? -1 : 1);
    assert.deepEqual(listed.toSorted(byName), leaves.toSorted(byName));
  });

  it('exist if a page names them', () => {
    const overHttp = new Set(Object.values(entries).flatMap((group) => group.map(([name]) => name)));
    const named = mentions(/(?:npx |bin\/|`)brandport ([a-z][a-z-]*(?: create| copy)?)/g);
    assertExist(named, 20, (name) => leaves.some((leaf) => leaf.name === name) || overHttp.has(name));
  });
});

describe('the forms of secrets', () => {
  it('match what the service issues', async () => {
    const forms = [...section('Replacing a key').matchAll(/^(?:tuk|cfk|bpa)_.+$/gm)].map(([form]) => form);
    const { admin } = await createTestApps();
    const brand = await admin.post('/brands', { name: 'Scanned' });
    const feedToken = await admin.post(`/brands/${brand.json.id}/feed-tokens`, { name: 'Scanned' });
    const issued = [newApiKey().plaintext, feedToken.json.token, newAdministratorToken().plaintext];
    assert.deepEqual(
      issued.map((secret) => forms.findIndex((form) => new RegExp(`^${form}$`).test(secret))),
      [0, 1, 2],
    );
  });
});

describe('statements in SQL', async () => {
  const { sql } = await createTestApps();
  const statements = [...operations.matchAll(/^```sql\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.replace(/--.*$/gm, '').split(';'))
    .map((text) => text.trim())
    .filter((text) => text !== '');

  it('of the pages for operators can be executed', async () => {
    assert.ok(statements.length > 5, String(statements.length));
    for (const text of statements) await assert.doesNotReject(async () => sql(text), text);
  });
});

describe('scripts of npm', () => {
  it('exist if a page names them', async () => {
    const { scripts } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
    const named = mentions(/\bnpm (?:run )?((?<=run )[a-z:-]+|start|test)\b/g);
    assertExist(named, 50, (name) => name in scripts);
  });
});

describe('parts of the benchmark', () => {
  it('exist if a page names them', () => {
    const named = mentions(/(?<=--only [a-z,-]*)([a-z-]+)/g);
    assertExist(named, 5, (name) => parts.some((part) => part.name === name));
  });
});
