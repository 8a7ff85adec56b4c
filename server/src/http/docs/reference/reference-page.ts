import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Html, html } from '../html.ts';
import type { OpenApiDocument } from '../openapi-document.ts';
import { ReferenceDocument } from './described-document.ts';
import { type ListedOperation, listOperations } from './listed-operation.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { operationSection } from './operation-section.ts';

/** Restricts the page to files and requests of this origin. Nothing inside of the page is a script or a style [D131]. */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface ReferencePageOptions {
  readonly document: OpenApiDocument;
  /** The relative path from the page's folder to the folder that the API's paths begin in. */
  readonly root: string;
  /** Changes with the bytes of the style sheet or of the script. */
  readonly version: string;
}

/**
 * Renders the reference from the document [D131]. It can be read without its script, which adds the forms that send requests.
 * Each operation has its own turn of the event loop.
 */
export async function referencePage({ document, root, version }: ReferencePageOptions): Promise<string> {
  const reference = new ReferenceDocument(document);
  const { info, tags, components } = reference.described;
  const operations = listOperations(reference);
  const groups = tags.map((tag) => ({
    ...tag,
    id: `tag-${tag.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    operations: operations.filter((operation) => operation.tag === tag.name),
  }));
  const sections: Html[] = [];
  for (const group of groups) {
    sections.push(
      html`<h2 id="${group.id}">${group.name}</h2>\n<p>${inlineMarkdown(group.description)}</p>\n`,
    );
    for (const operation of group.operations) {
      await nextTurn();
      sections.push(operationSection(reference, operation));
    }
  }
  const [[, { description: credential }] = ['', { description: '' }]] = Object.entries(
    components.securitySchemes,
  );
  return html`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference.css?v=${version}">
<script src="reference.js?v=${version}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<p class="wordmark">${info.title} ${info.version}</p>
<p><a href="guides/">Guides</a> <a href="search">Search</a> <a href="../openapi.json">openapi.json</a></p>
<form class="credential" hidden><label for="credential">Token for “Try it”</label>
<input id="credential" type="password" autocomplete="off" spellcheck="false" aria-describedby="credential-hint">
<span id="credential-hint" class="hint">${inlineMarkdown(credential)} The page forgets it when you leave.</span></form>
</header>
<div class="columns">
<nav aria-label="Operations">
<p class="filter" hidden><label for="filter">Filter operations</label><input id="filter" type="search" autocomplete="off" spellcheck="false"></p>
${groups.map(navigationGroup)}</nav>
<main id="main" tabindex="-1">
<h1>${info.title}</h1>
${markdown(info.description)}
${sections}</main>
</div>
</body>
</html>
`.text;
}

interface Group {
  readonly id: string;
  readonly name: string;
  readonly operations: readonly ListedOperation[];
}

function navigationGroup({ id, name, operations }: Group): Html {
  const items = operations.map(
    (operation) =>
      html`<li><a href="#${operation.id}">${operation.summary} <span class="method ${operation.method.toLowerCase()}">${operation.method}</span></a></li>`,
  );
  return html`<div class="group"><p><a href="#${id}">${name}</a></p><ul>${items}</ul></div>\n`;
}
