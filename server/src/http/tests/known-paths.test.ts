import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import Fastify from 'fastify';
import { listenOn } from '../../../test/support/raw-connection.ts';
import { KnownPaths } from '../known-paths.ts';

const maxParamLength = 12;

function createRouter(patterns: readonly string[]) {
  const app = Fastify({ routerOptions: { maxParamLength }, exposeHeadRoutes: false });
  const paths = new KnownPaths(maxParamLength);
  paths.collect(app);
  for (const url of patterns)
    app.get<{ Params: Record<string, string> }>(url, async ({ params, routeOptions }) => ({
      // The router lets parameters be empty; the apps respond 404 to these.
      pattern: Object.values(params).includes('') ? null : routeOptions.url,
    }));
  app.get('*', async () => ({ pattern: null }));
  return { app, paths };
}

describe('the paths of a listener', () => {
  it('are found exactly as the router finds them, for any URL', async () => {
    const { app, paths } = createRouter([
      '/',
      '/a',
      '/a/',
      '/a/:id',
      '/a/:id/b',
      '/a/:id/b/:code',
      '/docs/x.js',
    ]);
    const port = await listenOn(app);
    after(() => app.close());
    const agent = new Agent({ keepAlive: true });
    after(() => agent.destroy());
    const patternOf = async (path: string) => {
      const [response] = await once(get({ port, path, agent }), 'response');
      return ((await json(response)) as { pattern: string | null }).pattern;
    };
    const piece = fc.oneof(
      fc.constantFrom('a', 'b', 'docs', 'x.js', '', 'A', ':id', '*', '..'),
      fc.constantFrom(
        '%61',
        '%2F',
        '%2f',
        '%25',
        '%2561',
        '%25%32%46',
        '%3F',
        '%23',
        '%C3%A9',
        '%00',
        ';v=1',
        '+',
      ),
      fc.integer({ min: 11, max: 14 }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 3, max: 6 }).map((length) => '%2F'.repeat(length)),
      fc.integer({ min: 11, max: 14 }).map((length) => '%61'.repeat(length)),
    );
    const segment = fc.array(piece, { minLength: 1, maxLength: 2 }).map((pieces) => pieces.join(''));
    const known = fc.constantFrom('/a/1/b/2', '/a/x', '/a/', '/docs/x.js');
    const other = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
    const url = fc
      .tuple(fc.oneof(known, other), fc.constantFrom('', '?', '?a=/b', '#c', '#/a?b', '?%'))
      .map(([path, end]) => path + end);
    await fc.assert(
      fc.asyncProperty(url, async (text) => {
        assert.equal(paths.find(text)?.pattern ?? null, await patternOf(text), text);
      }),
      { numRuns: 200 },
    );
  });

  it('have the methods of all their routes, HEAD of an exposed one too', () => {
    const app = Fastify();
    const paths = new KnownPaths(maxParamLength);
    paths.collect(app);
    app.get('/a', () => null);
    app.route({ method: ['POST', 'PUT'], url: '/a', handler: () => null });
    assert.deepEqual([...(paths.find('/a')?.methods ?? [])].sort(), ['GET', 'HEAD', 'POST', 'PUT']);
  });

  it('do not include a URL that cannot be decoded', () => {
    const { paths } = createRouter(['/a/:id']);
    for (const url of ['/a/%zz', '/a/%', '/a/%C0%80']) assert.equal(paths.find(url), undefined);
  });

  it('must not match the same path twice', () => {
    const { paths } = createRouter(['/a/:id', '/a/:id/b']);
    assert.throws(() => paths.add('/a/list', 'GET'), /\/a\/list and \/a\/:id match the same path/);
    assert.throws(() => paths.add('/a/:code/b', 'PUT'), /match the same path/);
    paths.add('/a/:id/c', 'GET');
  });

  it('may match the same path with different methods if one has a fixed segment', () => {
    const { paths } = createRouter(['/a/:id']);
    paths.add('/a/list', 'POST');
    paths.add('/a/list', 'PUT');
    assert.throws(() => paths.add('/a/list', 'GET'), /match the same path/);
    assert.throws(() => paths.add('/a/:id', 'POST'), /match the same path/);
    const methodsOf = (url: string) => [...(paths.find(url)?.methods ?? [])].sort();
    assert.deepEqual(
      [paths.find('/a/list')?.pattern, methodsOf('/a/list')],
      ['/a/list', ['GET', 'POST', 'PUT']],
    );
    assert.deepEqual([paths.find('/a/x')?.pattern, methodsOf('/a/x')], ['/a/:id', ['GET']]);
  });
});
