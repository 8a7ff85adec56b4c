import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { installTarballs } from '../../../client/tests/install-tarballs.ts';
import { startSandboxProcess } from '../../../extensions/sandbox/test/sandbox-process.ts';
import { readGuideFiles } from '../../scripts/built-pages/guide-library.ts';
import { scopes } from '../../src/api/access.ts';
import { registerSecretsOf } from '../support/canaries.ts';
import { createDatabase } from '../support/fresh-database.ts';
import { processAdminToken, projectDir, startServerProcess } from '../support/server-process.ts';
import { findSystemProgram } from '../support/system-program.ts';
import { databaseUrl } from '../support/test-database.ts';
import { type CodeBlock, codeBlocksOf } from './code-blocks.ts';
import { compareOutput } from './compare-output.ts';
import { isExecuted, type PageRunOptions, runPage } from './run-page.ts';

const server = await startServerProcess({
  env: {
    // Pages send more writes than a key may send in a minute; the limits that they show are the default ones.
    BRANDPORT_LIMIT_CATALOG_WRITES: '100000',
    BRANDPORT_LIMIT_CATALOG_BRAND: '200000',
    BRANDPORT_LIMIT_ADDRESS: '0',
  },
});

/** Languages whose blocks show what the command before them prints. */
const outputs = new Set(['json', 'http', 'text']);

/** Programs that commands of the guides use, by Debian package, and that are not installed. */
const missing = Object.entries({ curl: 'curl', python3: 'python3', psql: 'postgresql-client' })
  .filter(([program, debianPackage]) => findSystemProgram(program, debianPackage) === null)
  .map(([program]) => program);

/** The most blocks that may be marked as not executed, over all pages. */
const mostNotRun = 20;

const pages = new Map([
  ...[...(await readGuideFiles())].map(([slug, text]): [string, string] => [`docs/guides/${slug}`, text]),
  ['README.md', await readFile(join(projectDir, 'README.md'), 'utf8')],
]);

async function newBrand() {
  const brand = (await server.admin.post('/brands', { name: 'Guide' })).json;
  const key = (await server.admin.post(`/brands/${brand.id}/keys`, { name: 'Guide', scopes })).json;
  registerSecretsOf(key);
  return { brandId: brand.id as number, apiKey: key.api_key as string };
}

/** Returns the surroundings of a page: a new brand, and the addresses of this server. */
async function surroundings(): Promise<PageRunOptions> {
  const { brandId, apiKey } = await newBrand();
  return {
    env: {
      BASE: server.clientUrl,
      KEY: apiKey,
      INTERNAL: server.internalUrl,
      ADMIN_TOKEN: processAdminToken,
      BRAND: String(brandId),
      // The command `brandport` and this version of Node.
      PATH: `${join(projectDir, 'node_modules/.bin')}:${process.env['PATH']}`,
    },
    replace: {
      'http://127.0.0.1:8080': server.clientUrl,
      'http://127.0.0.1:8081': server.internalUrl,
      'data/admin-token': 'admin-token',
    },
    files: { 'admin-token': processAdminToken },
  };
}

/** Gives the brand two days of analytics. */
async function addAnalytics(brandId: number): Promise<void> {
  const brand = `/brands/${brandId}`;
  const event = (day: number, user: string, kind: string) => ({
    event_id: `${day}-${user}-${kind}`,
    occurred_at: `2026-03-0${day}T09:00:00Z`,
    kind,
    user,
    content: { type: 'episode', tu_id: 'intro' },
  });
  await server.admin.put(`${brand}/users`, { items: [{ tu_id: 'ada' }, { tu_id: 'bo' }] });
  await server.admin.put(`${brand}/contents`, { items: [{ type: 'episode', tu_id: 'intro' }] });
  const items = [
    event(1, 'ada', 'view'),
    event(1, 'ada', 'completion'),
    event(2, 'ada', 'view'),
    event(2, 'bo', 'view'),
  ];
  await server.admin.post(`${brand}/events`, { items });
  const { status } = await server.admin.post(`${brand}/aggregations`, {
    from: '2026-03-01',
    to: '2026-03-02',
  });
  assert.equal(status, 200);
}

async function analysedSurroundings(): Promise<PageRunOptions> {
  const options = await surroundings();
  await addAnalytics(Number(options.env['BRAND']));
  return { ...options, env: { ...options.env, WAREHOUSE: databaseUrl(await createDatabase()) } };
}

async function sandboxSurroundings(): Promise<PageRunOptions> {
  const { clientUrl, internalUrl, apiKey, adminToken, brandId } = await startSandboxProcess();
  const options = await surroundings();
  const addresses = { BASE: clientUrl, INTERNAL: internalUrl, KEY: apiKey, ADMIN_TOKEN: adminToken };
  return { ...options, env: { ...options.env, ...addresses, BRAND: String(brandId) } };
}

/** Pages whose commands need more than a brand. */
const preparations: Readonly<Record<string, () => Promise<PageRunOptions>>> = {
  'docs/guides/sandbox': sandboxSurroundings,
  'docs/guides/six-faults': sandboxSurroundings,
  'docs/guides/analytics-bi': analysedSurroundings,
  'docs/guides/analytics-program': analysedSurroundings,
  'docs/guides/singer-tap': analysedSurroundings,
};

/** Pages that are executed in empty projects with the tarballs of the SDK and the command line, without the checkout. */
const days = ['integrators-day', 'integrators-day-in-code', 'analytics-bi', 'six-faults'].map(
  (name) => `docs/guides/${name}`,
);

const installed = await mkdtemp(join(tmpdir(), 'brandport-installed-'));
after(() => rm(installed, { recursive: true, force: true }));
await installTarballs(installed);

async function projectOptions(name: string, type: 'module' | 'commonjs'): Promise<PageRunOptions> {
  const options = await (preparations[name] ?? surroundings)();
  const modules = join(installed, 'node_modules');
  const elsewhere = (process.env['PATH'] ?? '').split(':').filter((path) => !path.startsWith(projectDir));
  return {
    ...options,
    files: { ...options.files, 'package.json': JSON.stringify({ type }) },
    links: { node_modules: modules },
    env: {
      ...options.env,
      PATH: [join(modules, '.bin'), dirname(process.execPath), ...elsewhere].join(':'),
    },
  };
}

/** Returns the blocks as a CommonJS project has them: programs are `.js` files that begin with `require`. */
function inCommonJs(blocks: readonly CodeBlock[]): CodeBlock[] {
  return blocks.map((block) => {
    const file = block.file?.replace(/\.mjs$/, '.js') ?? null;
    if (file === block.file) return { ...block, text: block.text.replaceAll(/^(node \w+)\.mjs/gm, '$1.js') };
    const required = block.text.replaceAll(/^import (\{.+\}) from (.+);$/gm, 'const $1 = require($2);');
    return { ...block, file, text: `(async () => {\n${required}\n})();` };
  });
}

async function executePage(blocks: readonly CodeBlock[], options: PageRunOptions): Promise<void> {
  let printed: string | null = null;
  for (const { block, stdout } of await runPage(blocks, options)) {
    if (stdout !== null) printed = stdout;
    else if (outputs.has(block.language) && block.file === null && block.notRun === null) {
      assert.ok(printed !== null, `no command prints\n${block.text}`);
      compareOutput(block.language, block.text, printed);
    }
  }
}

// Each page has its own brand; most of their time, programs start.
describe('the code blocks of the guides and the README', { concurrency: 3 }, () => {
  for (const [name, text] of pages) {
    const blocks = codeBlocksOf(text);
    if (!blocks.some(isExecuted)) continue;
    const skip = missing.some((program) => blocks.some(({ text: code }) => code.includes(program)));
    if (days.includes(name)) {
      it(`of ${name} work in an empty project of ES modules`, { skip }, async () =>
        executePage(blocks, await projectOptions(name, 'module')),
      );
      if (process.env['BRANDPORT_GUIDES_COMMONJS'] !== undefined)
        it(`of ${name} work in an empty project of CommonJS`, { skip }, async () =>
          executePage(inCommonJs(blocks), await projectOptions(name, 'commonjs')),
        );
    } else
      it(`of ${name} work on a fresh brand and print what the page shows`, { skip }, async () =>
        executePage(blocks, await (preparations[name] ?? surroundings)()),
      );
  }

  it('of the day in code complete what a killed run has begun', async () => {
    const name = 'docs/guides/integrators-day-in-code';
    const [data, program, ...rest] = codeBlocksOf(pages.get(name) ?? '');
    assert.ok(data !== undefined && program?.file === 'day.mjs');
    const begin = 'await products.replaceAxes(';
    const kill = `if (product.sku === 'COVER-03') process.kill(process.pid, 'SIGKILL');\n  ${begin}`;
    const killed = { ...program, file: 'killed.mjs', text: program.text.replace(begin, kill) };
    assert.notEqual(killed.text, program.text);
    const first = { language: 'sh', file: null, notRun: null, text: 'node killed.mjs || true' };
    const options = await projectOptions(name, 'module');
    await runPage(
      [data, killed, program, first, ...rest.filter(({ language }) => language === 'sh')],
      options,
    );
    const brand = `/brands/${options.env['BRAND']}`;
    const key = (await server.admin.post(`${brand}/keys`, { name: 'Guide', scopes })).json;
    registerSecretsOf(key);
    const response = await fetch(
      `${server.clientUrl}/v1/client/catalog/products?has_variants=true&per_page=200`,
      { headers: { authorization: `Bearer ${key.api_key}` } },
    );
    const { data: covers } = (await response.json()) as { data: { sku: string }[] };
    assert.deepEqual(
      covers.map(({ sku }) => sku).sort(),
      Array.from({ length: 20 }, (_, at) => `COVER-${String(at + 1).padStart(2, '0')}`),
    );
  });

  it('are all executed, saved and used, or compared; few are marked with a reason why not', () => {
    const notRun: string[] = [];
    for (const [name, text] of pages)
      for (const [index, block] of codeBlocksOf(text).entries()) {
        const what = `${name}, block ${index}:\n${block.text}`;
        if (block.notRun !== null) {
          assert.match(block.notRun, /\w+ \w+/, what);
          notRun.push(what);
        } else if (block.file !== null) {
          const [, after = ''] = text.split(block.text);
          const stem = block.file.replace(/\.py$/, '');
          assert.ok(after.includes(block.file) || after.includes(`from ${stem} import`), `unused: ${what}`);
        } else
          assert.ok(isExecuted(block) || outputs.has(block.language), `neither executed nor shown: ${what}`);
      }
    assert.ok(notRun.length <= mostNotRun, notRun.join('\n\n'));
  });
});
