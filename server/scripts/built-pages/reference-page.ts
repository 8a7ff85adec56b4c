import { Marked } from 'marked';
import { escapeHtml } from '../../src/http/html.ts';

interface PageOptions {
  /** The OpenAPI document of the listener, as JSON. */
  readonly document: string;
  /** The relative path from the page's folder to the folder that the API's paths begin in. */
  readonly root: string;
  /** Changes with the bytes of the files. */
  readonly version: string;
}

/** Returns the page that the library fills [D288]. Until then, which takes seconds, it shows the introduction of the document. */
export function referencePage({ document, root, version }: PageOptions): string {
  const toConsole = root === '../' ? '' : ` <a href="${root}console/">Console</a>`;
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Brandport API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="look.css?v=${version}">
<link rel="modulepreload" href="scalar.js?v=${version}">
<script src="init.js?v=${version}" type="module"></script>
</head>
<body>
<nav class="top" aria-label="Documentation"><strong>Brandport</strong> <a href="guides/">Guides</a> <a href="search">Search</a> <a href="../openapi.json">OpenAPI</a>${toConsole}</nav>
<noscript><p>This page needs JavaScript.</p>
${alternatives}</noscript>
<div id="reference"></div>
<main class="introduction">
${introductionOf(document)}</main>
</body>
</html>
`;
}

function introductionOf(document: string): string {
  const { info } = JSON.parse(document) as { info: { title: string; description: string } };
  const marked = new Marked({ gfm: true });
  marked.use({ renderer: { html: ({ text }) => escapeHtml(text) } });
  return `<h1>${escapeHtml(info.title)}</h1>\n${marked.parse(info.description, { async: false })}`;
}

const alternatives = `<p>The same is in the <a href="../openapi.json">OpenAPI document</a>. The <a href="guides/">guides</a> need no script, and
<a href="../llms.txt">llms.txt</a> lists all of them as Markdown.</p>
`;
