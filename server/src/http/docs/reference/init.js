// Starts the reference [D288]. It stores nothing, and sends nothing to other hosts.

// The library's validator tries `eval` otherwise, which the page's policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true };
await import(`./scalar.js${new URL(import.meta.url).search}`);

const response = await fetch('../openapi.json');
const content = await response.json();
// Requests go to where the page came from, also below a prefix that only the browser knows.
const root = new URL(document.documentElement.dataset.root, location.href);
content.servers = [{ url: root.href.replace(/\/$/, '') }];

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const anchors = new Map();
for (const byMethod of Object.values(content.paths))
  for (const { operationId, tags } of Object.values(byMethod))
    anchors.set(`#${operationId}`, `#tag/${slug(tags[0])}/${operationId}`);
/** Error pages and guides lead to `#<operationId>`. */
const anchor = (hash) => anchors.get(hash) ?? hash;
addEventListener('hashchange', () => location.replace(anchor(location.hash)));

globalThis.Scalar.createApiReference('#reference', {
  content,
  redirect: anchor,
  generateTagSlug: ({ name }) => slug(name),
  generateOperationSlug: ({ operationId }) => operationId,
  plugins: [
    () => ({ name: 'brandport', extensions: [], apiClientPlugins: [{ hooks: { beforeRequest: renewKey } }] }),
  ],
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  hideModels: true,
});

/** Gives each request that is sent a key of its own. One that was typed in stays, so that a replay can be tried. */
function renewKey({ requestBuilder: { headers }, operation }) {
  const parameter = operation.parameters?.find(({ name }) => name === 'Idempotency-Key');
  const typed = headers.get('Idempotency-Key');
  if (parameter && (!typed || typed === parameter.example))
    headers.set(
      'Idempotency-Key',
      [operation.operationId, ...crypto.getRandomValues(new Uint32Array(2))].join('-'),
    );
}
