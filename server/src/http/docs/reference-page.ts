/**
 * The reference page as the browser loads it, and its start script. Paths are relative to the page's folder.
 */

/**
 * Restricts the page to resources of this origin. Styles must be inline because the script writes them;
 * scripts must not.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `title` is trusted plain text; `version` is the version of the script. */
export function referencePage(title: string, version: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <noscript>This page requires JavaScript. The same content as a document: <a href="../openapi.json">openapi.json</a></noscript>
    <div id="app"></div>
    <script src="scalar.js?v=${version}"></script>
    <script src="start.js"></script>
  </body>
</html>
`;
}

/**
 * Returns the script that renders the reference from the served document without contacting other hosts. Requests are sent
 * to where the page itself came from, which is right behind any proxy: `root` leads from the page's folder to the paths.
 */
export function startScript(root: string): string {
  return `const configuration = ${JSON.stringify(configuration, null, 2)};
const server = new URL('${root}', location.href).href.replace(/\\/$/, '');
Scalar.createApiReference('#app', { ...configuration, servers: [{ url: server }] });
`;
}

const configuration = {
  url: '../openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  persistAuth: false,
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
};
