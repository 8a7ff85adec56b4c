import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleIds } from '../../src/api/field-schemas.ts';
import { validateAgainstDocument, validateAgainstInternalDocument } from '../support/document-validation.ts';
import { type DocumentedRequest, documentedRequests } from '../support/documented-requests.ts';
import { connectToEmbedded } from '../support/embedded-connection.ts';
import { sendHttp } from '../support/http-client.ts';
import { findDemoKey } from '../support/server-output.ts';
import { processAdminToken, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** The pairs of query parameters that cannot be combined [analytics-11]. */
const exclusive: readonly (readonly [string, string])[] = [
  ['market', 'group_by'],
  ['changed_after', 'page'],
];

const server: ServerProcess = await startServerProcess({ env: { BRANDPORT_DEMO: '1' } });
const surfaces = [
  {
    name: 'the client document',
    url: server.clientUrl,
    documentPath: '/openapi.json',
    token: findDemoKey(server.stderr()) ?? '',
    check: validateAgainstDocument,
  },
  {
    name: 'the internal document',
    url: server.internalUrl,
    documentPath: '/internal/openapi.json',
    token: processAdminToken,
    check: validateAgainstInternalDocument,
  },
];

/** The job of the demonstration feed completes; only a failed one can be retried. */
async function failJob(): Promise<void> {
  const job = () => server.admin.get(`/jobs/${exampleIds.job}`);
  await waitFor('the job', async () => (await job()).json.state === 'completed', 30_000);
  const database = await connectToEmbedded(server.dataDir);
  await database.query(`update pgboss.job set state = 'failed', output = null where id = $1`, [
    exampleIds.job,
  ]);
  await database.end();
}

async function unrevoke(): Promise<void> {
  const database = await connectToEmbedded(server.dataDir);
  await database.query('update api_keys set revoked_at = null where key_id = $1', [exampleIds.key]);
  await database.end();
}

/** Creates the state that an operation needs and a fresh brand does not have. */
const prepare: Readonly<Record<string, () => Promise<void>>> = {
  // An unfinished feed is refused.
  requeueFeed: async () => {
    const feed = () => server.admin.get(`/brands/1/feeds/${exampleIds.feed}/lines?result=undecided`);
    await waitFor('the feed', async () => (await feed()).json.meta.total === 0, 30_000);
  },
  // The administrator that an earlier operation created has a random id.
  deleteAdministrator: async () => {
    const database = await connectToEmbedded(server.dataDir);
    await database.query('update administrators set token_id = $1', ['bpa_0123456789abcdef01234567']);
    await database.end();
  },
  deleteSession: async () => {
    const database = await connectToEmbedded(server.dataDir);
    await database.query(
      `insert into console_sessions (id, token_sha256, actor, role, created_at, last_seen_at, expires_at)
         overriding system value
         values (1, sha256('cookie'), 'admin-token', 'administrator', now_ms(), now_ms(), now_ms() + interval '1 hour')
         on conflict (id) do nothing`,
    );
    await database.end();
  },
  // The operation before it has revoked the key.
  revokeApiKey: unrevoke,
  updateApiKey: unrevoke,
  // An earlier operation has deleted the key.
  limitKey: async () => {
    const database = await connectToEmbedded(server.dataDir);
    await database.query(
      `with next as (select nextval(pg_get_serial_sequence('api_keys', 'id')) as id)
       insert into api_keys (brand_id, id, key_id, lineage_id, secret_sha256, name, scopes)
         overriding system value
         select 1, id, $1, id, sha256('none'), 'Spare key', '{catalog.products:read}' from next`,
      [exampleIds.key],
    );
    await database.end();
  },
  retryJob: failJob,
  retryJobs: failJob,
};

/** The bodies of requests whose example cannot work: the token of the server, for one, is no example. */
const bodies: Readonly<Record<string, string>> = {
  createConsoleSession: JSON.stringify({ token: processAdminToken }),
};

/** Returns the path with the id of a concern that there is: the example's is of no brand. */
async function ofConcern(path: string): Promise<string> {
  const { concerns } = (await server.admin.get('/overview')).json;
  const { id } = concerns.find(({ muted }: { muted: boolean }) => muted) ?? concerns[0];
  return path.replace(/[a-z_]+\.[0-9a-f]{16}/, id);
}

/** The paths of requests whose example cannot work. */
const paths: Readonly<Record<string, (path: string) => Promise<string>>> = {
  muteConcern: ofConcern,
  unmuteConcern: ofConcern,
};

/** Writes whose example leaves no entry in the audit, and why. */
const unaudited: Readonly<Record<string, string>> = {
  postLearningEvents: 'events are not audited [internal-48]',
  deleteConsoleSession: 'a bearer token has no session',
};

/** The ids of requests: one for each request of the internal document. */
const requestIdOf = (operationId: string, at: number) => `example-${operationId}-${at}`;

/** The queries to send: none, and all parameters except one of each exclusive pair. */
function queriesOf({ query, requiredQuery }: DocumentedRequest): URLSearchParams[] {
  const pair = exclusive.find((names) => names.every((name) => query.has(name)));
  const without = (left: string | undefined) =>
    new URLSearchParams([...query].filter(([name]) => name !== left));
  const required = new URLSearchParams([...requiredQuery]);
  if (query.size === requiredQuery.size) return [required];
  return [required, ...(pair ?? [undefined]).map(without)];
}

for (const { name, url, documentPath, token, check } of surfaces) {
  const { json: document } = await sendHttp(url + documentPath);
  const requests = documentedRequests(document);
  const send = async (request: DocumentedRequest, query: URLSearchParams, at = 0) => {
    const body = request.bodies[at];
    const plain = (await paths[request.operationId]?.(request.path)) ?? request.path;
    const path = query.size === 0 ? plain : `${plain}?${query}`;
    const response = await sendHttp(url + path, {
      method: request.method,
      headers: {
        ...request.headers,
        authorization: `Bearer ${token}`,
        'x-request-id': requestIdOf(request.operationId, at),
        ...(body !== undefined && { 'content-type': body.contentType }),
      },
      ...(body !== undefined && { body: bodies[request.operationId] ?? body.text }),
    });
    check(request.method, path, response);
    assert.ok(request.successes.includes(response.status), `${path} ${response.status}: ${response.text}`);
    return response;
  };

  describe(`the examples of ${name} work on a fresh demonstration brand`, () => {
    for (const request of requests.filter(({ method }) => method === 'GET'))
      it(`${request.operationId}, without and with its optional parameters`, async () => {
        for (const query of queriesOf(request)) await send(request, query);
      });

    // In the order of the document, because later requests build on earlier ones.
    for (const request of requests.filter(({ method }) => method !== 'GET')) {
      it(`${request.operationId}, after those before it`, async () => {
        await prepare[request.operationId]?.();
        for (const index of request.bodies.keys()) await send(request, new URLSearchParams(), index);
      });
    }
  });
}

interface AuditEntry {
  readonly actor: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

const auditEntries = async (): Promise<AuditEntry[]> =>
  (await server.admin.get('/audit?per_page=200')).json.data;

const { json: internalDocument } = await sendHttp(`${server.internalUrl}/internal/openapi.json`);

// [internal-54] [internal-73]
describe('the audit names the caller of each write of the internal document', () => {
  const writes = documentedRequests(internalDocument).filter(({ method }) => method !== 'GET');
  for (const { operationId, bodies: sent } of writes) {
    const reason = unaudited[operationId];
    it(reason === undefined ? operationId : `but not of ${operationId}: ${reason}`, async () => {
      for (const at of sent.keys()) {
        const id = requestIdOf(operationId, at);
        const found = (await auditEntries()).filter(({ request_id }) => request_id === id);
        assert.equal(found.length > 0, reason === undefined);
        for (const { actor, address } of found)
          assert.deepEqual({ actor, address }, { actor: 'admin-token', address: '127.0.0.1' });
        assert.equal((await server.admin.get(`/requests/${id}`)).status, reason === undefined ? 200 : 404);
      }
    });
  }
});

describe('a fresh demonstration brand', () => {
  // [internal-54]
  it('was created by the command that names itself in the audit', async () => {
    const created = (await auditEntries()).filter(({ request_id }) => request_id === null);
    assert.ok(created.length >= 6, `${created.length}`);
    for (const { actor, address } of created)
      assert.deepEqual({ actor, address }, { actor: 'brandport serve', address: null });
  });

  it('applied the feed that it came with', async () => {
    const client = server.clientWith(findDemoKey(server.stderr()) ?? '');
    const report = () => client.get(`/catalog/stock/feeds/${exampleIds.feed}`);
    await waitFor('the feed', async () => (await report()).json.status === 'completed', 30_000);
    assert.deepEqual(
      (await report()).json.lines.data.map(({ result }: { result: string }) => result),
      ['applied', 'unknown_sku'],
    );
  });
});
