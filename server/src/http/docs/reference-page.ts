/** The reference as a browser loads it: the page and what starts it. Paths are relative to the page's folder. */

/**
 * What the browser may load for the page: nothing that is not from here, whatever the script would like. Styles have to
 * be inline, since the script writes them; scripts must not be.
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

/** `title` is ours and plain text; `version` is the script's. */
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
    <noscript>This page needs JavaScript. The same as a document: <a href="../openapi.json">openapi.json</a></noscript>
    <div id="app"></div>
    <script src="scalar.js?v=${version}"></script>
    <script src="start.js"></script>
  </body>
</html>
`;
}

/** Draws the reference from the document that is served beside it, without anything that talks to other hosts. */
export const startScript = `Scalar.createApiReference('#app', ${JSON.stringify(
  {
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
  },
  null,
  2,
)});
`;
