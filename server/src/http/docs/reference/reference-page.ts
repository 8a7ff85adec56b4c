/**
 * Restricts the page to files and requests of this origin [D288]. Only this page allows styles inside of it: the library sets
 * the positions of its menus and the colours of its samples that way. No script inside of the page is allowed.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns the page that the library fills.
 * @param root the relative path from the page's folder to the folder that the API's paths begin in
 * @param version changes with the bytes of the files; null without the library
 */
export function referencePage(root: string, version: string | null): string {
  const files =
    version === null
      ? ''
      : `<link rel="stylesheet" href="look.css?v=${version}">
<link rel="modulepreload" href="scalar.js?v=${version}">
<script src="init.js?v=${version}" type="module"></script>
`;
  const main =
    version === null
      ? `<p>The reference is not built. Run this in the directory of Brandport, then restart it:</p>
<pre>npm ci --include=dev</pre>
${alternatives}`
      : `<noscript><p>This page needs JavaScript.</p>
${alternatives}</noscript>
<div id="reference"></div>`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Brandport API reference</title>
<link rel="icon" href="data:,">
${files}</head>
<body>
<nav class="top" aria-label="Documentation"><strong>Brandport</strong> <a href="guides/">Guides</a> <a href="search">Search</a> <a href="../openapi.json">openapi.json</a></nav>
${main}
</body>
</html>
`;
}

const alternatives = `<p>The same is in the <a href="../openapi.json">OpenAPI document</a>. The <a href="guides/">guides</a> need no script, and
<a href="../llms.txt">llms.txt</a> lists all of them as Markdown.</p>
`;
