import { readdir, readFile } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import type { DescribedOperation } from '../../src/api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../src/errors/error-catalogue.ts';
import { codesByStatus, errorCodesOf, generalCodes } from '../../src/http/docs/error-responses.ts';
import type { Listener } from '../../src/http/metrics.ts';
import { clientDomains, internalGroups } from '../../src/http/operations.ts';

export interface Guide {
  /** Its path below the index, such as `quick-start` or `errors/not_found`; an empty string for the index itself. */
  readonly slug: string;
  /** The first heading, as plain text. */
  readonly title: string;
  /** Links are relative to the page; those to other guides end in `.md`. */
  readonly markdown: string;
}

export function titleOf(markdown: string): string {
  const [first = ''] = markdown.split('\n', 1);
  return first.replace(/^# +/, '').replaceAll('`', '').trim();
}

/** Returns the path from a page to the folder `docs/` above the guides: `../`, or `../../` from a folder's page. */
export function pathToDocs(slug: string): string {
  return `../${'../'.repeat(slug.split('/').length - 1)}`;
}

/**
 * Returns a link of a guide's source as the page needs it. Links to other guides lose `.md`, a link to a folder's
 * `README.md` leads to the folder, and links that begin with `/` lead to other pages of the listener: they become relative,
 * so that every page works below any prefix of a proxy.
 */
export function pageLink(href: string, slug: string): string {
  if (isElsewhere(href) || href.startsWith('#')) return href;
  if (href.startsWith('/')) return fromRoot(href, slug);
  return href
    .replace(/(^|\/)README\.md(?=#|$)/, (_match, slash: string) => slash || './')
    .replace(/\.md(?=#|$)/, '');
}

/** Rewrites the links of a source for its `.md` address, where other guides are found with `.md` too. */
export function markdownWithLinks(markdown: string, slug: string): string {
  return markdown
    .replaceAll(/\]\((\/[^)\s]*)\)/g, (_match, href: string) => `](${fromRoot(href, slug)})`)
    .replaceAll(
      /\]\(((?:[\w./-]*\/)?)README\.md(#[^)]*)?\)/g,
      (_match, path: string, hash = '') => `](${path}index.md${hash})`,
    );
}

function isElsewhere(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href);
}

/** `/docs/…` and its siblings, such as `/openapi.json`, relative to the page. */
function fromRoot(href: string, slug: string): string {
  const docs = '/docs/';
  return href.startsWith(docs)
    ? `${pathToDocs(slug)}${href.slice(docs.length)}`
    : `../${pathToDocs(slug)}${href.slice(1)}`;
}

/** One section of the index, with its guides in the order of the list. */
export interface IndexSection {
  readonly title: string;
  readonly entries: readonly { readonly slug: string; readonly title: string }[];
}

/**
 * Reads the sections of the index page: its headings of the second level, each with a list that begins every item with a
 * link to a guide. The index is the only place that says which guides there are, and in which order.
 */
function readIndex(markdown: string): IndexSection[] {
  const sections = markdown.split(/^## /m).slice(1);
  const read = sections.map((section) => {
    const links = section.matchAll(/^- \[(?<title>[^\]]+)\]\((?<slug>[\w/-]+)\.md\)/gm);
    const entries = links.map(({ groups }) => groups as { slug: string; title: string });
    return { title: section.slice(0, section.indexOf('\n')), entries: [...entries] };
  });
  return read.filter(({ entries }) => entries.length > 0);
}

/** All codes, in the order of the list of errors. */
const listedCodes: readonly ErrorCode[] = [
  ...codesByStatus(Object.keys(errorCatalogue) as ErrorCode[]).values(),
].flat();

/**
 * Returns the page about a code: what the catalogue says of it, then `written`, the hand-written page without its title,
 * then the operations of the listener that return it.
 */
function errorGuide(code: ErrorCode, written: string, listener: Listener): string {
  const { status, message, cause, fix, retry } = errorCatalogue[code];
  const sources = errorSources(code, listener);
  const from = sources.length === 0 ? ['No operation of this version returns it.'] : sources;
  return `${[
    `# \`${code}\``,
    `**${status} ${STATUS_CODES[status]}.** ${message}`,
    `**Cause.** ${cause}`,
    `**Fix.** ${fix}`,
    `**Retry.** ${retry}`,
    ...withoutTitle(written),
    '## Returned by',
    from.join('\n'),
  ].join('\n\n')}\n`;
}

function errorTable(): string {
  const rows = listedCodes.map((code) => {
    const { status, message } = errorCatalogue[code];
    return `| ${status} | [\`${code}\`](errors/${code}.md) | ${message} |`;
  });
  return ['| HTTP | code | message |', '|---|---|---|', ...rows].join('\n');
}

function withoutTitle(written: string): string[] {
  const rest = written.replace(/^# .*\n/, '').trim();
  return rest === '' ? [] : [rest];
}

interface Surface {
  readonly listener: Listener;
  readonly name: string;
  readonly operations: readonly { readonly title: string; readonly operation: DescribedOperation }[];
}

const surfaces: readonly Surface[] = [
  {
    listener: 'client',
    name: 'client API',
    operations: clientDomains.flatMap(({ prefix, operations }) => titled(prefix, operations)),
  },
  {
    listener: 'internal',
    name: 'internal surface',
    operations: internalGroups.flatMap(({ prefix, operations }) => titled(prefix, operations)),
  },
];

function titled(prefix: string, operations: readonly DescribedOperation[]): Surface['operations'] {
  return operations.map((operation) => ({
    title: `${operation.method} ${(prefix + operation.path).replaceAll(/:(\w+)/g, '{$1}')}`,
    operation,
  }));
}

/** Returns the operations that return a code, as a Markdown list; the client listener names its own only. */
function errorSources(code: ErrorCode, reader: Listener): string[] {
  const general = generalCodes[code];
  return [
    ...(general === undefined ? [] : [`- ${general}`]),
    ...surfaces
      .filter(({ listener }) => reader === 'internal' || listener === 'client')
      .flatMap((surface) => on(surface, code, surface.listener === reader)),
  ];
}

function on({ name, operations }: Surface, code: ErrorCode, isLinked: boolean): string[] {
  const shown = ({ title, operation }: Surface['operations'][number]) =>
    isLinked ? `[\`${title}\`](/docs/#${operation.id})` : `\`${title}\``;
  const answering = operations.filter(({ operation }) => errorCodesOf(operation).includes(code));
  if (answering.length === 0) return [];
  if (answering.length === operations.length) return [`- Every operation of the ${name}.`];
  // A long list is replaced by the shorter list of exceptions.
  const others = operations.filter((entry) => !answering.includes(entry));
  if (others.length <= 3 && answering.length > others.length)
    return [`- Every operation of the ${name} but ${others.map(shown).join(', ')}.`];
  return answering.map((entry) => `- ${shown(entry)}`);
}

export interface GuideLibrary {
  /** The guides by slug; the index first. */
  readonly guides: ReadonlyMap<string, Guide>;
  readonly sections: readonly IndexSection[];
}

const operators = 'operators';
const folder = new URL('../../../docs/guides/', import.meta.url);

/**
 * Reads the sources of the guides, as pairs of a slug and the text of its Markdown file. The slug of `README.md` is that of its
 * folder: an empty string, or `operators`.
 * @throws Error if the folder cannot be read
 */
export async function readGuideFiles(): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.md')).sort();
  return new Map(
    await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const slug = path.replaceAll('\\', '/').replace(/(?:\/?README)?\.md$/, '');
        return [slug, await readFile(new URL(path, folder), 'utf8')];
      }),
    ),
  );
}

/** Reads the guides of a listener; those for operators are internal. @throws Error if a file is missing */
export async function loadGuides(listener: Listener): Promise<GuideLibrary> {
  const files = await readGuideFiles();
  const texts = new Map<string, string>([['', indexText(files, listener)]]);
  for (const [slug, text] of files) {
    if (slug === '' || slug === operators || slug.startsWith('errors/')) continue;
    if (slug.startsWith(`${operators}/`) && listener === 'client') continue;
    texts.set(slug, slug === 'errors' ? `${text}\n${errorTable()}\n` : text);
  }
  for (const code of listedCodes) texts.set(`errors/${code}`, errorText(files, code, listener));
  const guides = [...texts].map(([slug, markdown]): [string, Guide] => [
    slug,
    { slug, title: titleOf(markdown), markdown },
  ]);
  return { guides: new Map(guides), sections: readIndex(textOf(texts, '')) };
}

function errorText(files: ReadonlyMap<string, string>, code: ErrorCode, listener: Listener): string {
  return errorGuide(code, textOf(files, `errors/${code}`), listener);
}

/** The internal listener's index ends with the section for operators, whose links are relative to their own folder. */
function indexText(files: ReadonlyMap<string, string>, listener: Listener): string {
  const index = textOf(files, '');
  if (listener === 'client') return index;
  const more = textOf(files, operators).replace(/^# /, '## ').replaceAll('](', `](${operators}/`);
  return `${index}\n${more}`;
}

function textOf(files: ReadonlyMap<string, string>, slug: string): string {
  const text = files.get(slug);
  if (text === undefined) throw new Error(`docs/guides has no page "${slug}"`);
  return text;
}
