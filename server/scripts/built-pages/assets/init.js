// Starts the reference [D288]. It stores nothing, and sends nothing to other hosts.

// The library's validator tries `eval` otherwise, which the page's policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true };
// The library would begin by day, and leave some texts in that colour for seconds.
const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
document.body.classList.add(isDark ? 'dark-mode' : 'light-mode');
await import(`./scalar.js${new URL(import.meta.url).search}`);

const content = await (await fetch('../openapi.json')).json();
// Requests go to where the page came from, also below a prefix that only the browser knows.
const root = new URL(document.documentElement.dataset.root, location.href);
content.servers = [{ url: root.href.replace(/\/$/, '') }];
// It would be the first fact of the page.
delete content.info.license;

const slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const operations = Object.values(content.paths).flatMap((byMethod) => Object.values(byMethod));
const anchors = new Map(
  operations.map(({ operationId: id, tags }) => [`#${id}`, `#tag/${slug(tags[0])}/${id}`]),
);
/** Error pages and guides lead to `#<operationId>`. */
const anchor = (hash) => anchors.get(hash) ?? hash;
addEventListener('hashchange', () => location.replace(anchor(location.hash)));

// The form sends what it shows: of the optional parameters only those that the reader checks, not every example at once.
const parameters = operations.flatMap((operation) => operation.parameters ?? []);
for (const parameter of [...parameters, ...Object.values(content.components.parameters)])
  if (parameter.in !== 'path' && parameter.required === false && parameter.name !== 'Idempotency-Key') {
    parameter.examples = { example: { value: parameter.example, 'x-disabled': true } };
    delete parameter.example;
  }

const hooks = { beforeRequest: renewKey, responseReceived: showResponse };
globalThis.Scalar.createApiReference('#reference', {
  content,
  redirect: anchor,
  generateTagSlug: ({ name }) => slug(name),
  generateOperationSlug: ({ operationId }) => operationId,
  plugins: [() => ({ name: 'brandport', extensions: [], apiClientPlugins: [{ hooks }] })],
  theme: 'none',
  darkMode: isDark,
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

document.querySelector('.introduction').remove();

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

/** Brings the response into view, which is below the form on narrow screens. The library announces it. */
function showResponse() {
  const section = document.querySelector('[role="dialog"] section[aria-label="Response"]');
  setTimeout(() => section?.scrollIntoView(), 100);
}

/** A value that the reader types or chooses is sent: the library leaves the parameter's box as it was. */
function check({ type, target }) {
  const value = target.closest(type === 'input' ? '[contenteditable]' : '[aria-haspopup]');
  const row = value?.closest('[role="dialog"] tr');
  if (row?.cells[2].contains(value)) row.querySelector('input:not(:checked)')?.click();
}
addEventListener('input', check);
addEventListener('click', check);
