import { type Html, html } from '../html.ts';
import type { Content, DescribedResponse, ReferenceDocument } from './described-document.ts';
import { exampleText, type ListedOperation } from './listed-operation.ts';
import { inlineMarkdown, markdown } from './markdown.ts';
import { fieldSummary, schemaFields } from './schema-fields.ts';
import { tryForm } from './try-form.ts';

export function operationSection(document: ReferenceDocument, operation: ListedOperation): Html {
  const { id, method, path, summary, description } = operation;
  return html`<section class="operation" aria-labelledby="${id}">
<h3 id="${id}"><a href="#${id}">${summary}</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${markdown(description)}
${parameterList(document, operation)}${bodySection(document, operation)}${responseSections(document, operation)}
<h4>Example</h4>
<pre class="curl"><code>${curlExample(operation)}</code></pre>
${tryForm(document, operation)}
</section>
`;
}

function parameterList(document: ReferenceDocument, { parameters }: ListedOperation): Html | null {
  if (parameters.length === 0) return null;
  const places = (['path', 'query', 'header'] as const).map((place) => {
    const listed = parameters.filter((parameter) => parameter.in === place);
    const items = listed.map(({ name, schema, required, description }) => {
      return html`<li>${fieldSummary(document, { name, schema, isRequired: required, description })}</li>`;
    });
    return items.length === 0 ? null : html`<h4>${placeNames[place]}</h4><ul class="fields">${items}</ul>\n`;
  });
  return html`${places}`;
}

const placeNames = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

function bodySection(
  document: ReferenceDocument,
  { contents, isBodyRequired }: ListedOperation,
): Html | null {
  const types = Object.entries(contents);
  if (types.length === 0) return null;
  return html`<h4>Body</h4>\n${types.map(([type, content]) => {
    const example = exampleText(content);
    return html`<p><code>${type}</code>${isBodyRequired ? null : ', optional'}</p>
${schemaFields(document, content.schema)}${
  example === ''
    ? null
    : html`<details><summary>Example of the body</summary><pre><code>${example}</code></pre></details>`
}\n`;
  })}`;
}

function responseSections(document: ReferenceDocument, { responses }: ListedOperation): Html {
  const resolved = Object.entries(responses).map(
    ([status, response]) => [status, document.resolve<DescribedResponse>(response)] as const,
  );
  const isError = ([status]: readonly [string, unknown]) => Number(status) >= 400;
  const successes = resolved.filter((one) => !isError(one));
  const errors = resolved.filter(isError);
  return html`<h4>Responses</h4>
${successes.map(([status, response]) => successResponse(document, status, response))}<details><summary>Errors: ${errors.map(([status]) => status).join(', ')}</summary>
<ul class="fields">${errors.map(([status, response]) => errorResponse(document, status, response))}</ul></details>`;
}

function successResponse(document: ReferenceDocument, status: string, response: DescribedResponse): Html {
  const [content] = Object.values(response.content ?? {});
  const fields = content === undefined ? null : schemaFields(document, content.schema);
  const example = content === undefined ? '' : exampleText(content);
  return html`<p><strong>${status}</strong> ${inlineMarkdown(response.description)}</p>
${fields === null ? null : html`<details><summary>Fields of the ${status} response</summary>${fields}</details>\n`}${
  example === ''
    ? null
    : html`<details><summary>Example of the ${status} response</summary><pre><code>${example}</code></pre></details>\n`
}${headerList(document, status, response)}`;
}

function headerList(document: ReferenceDocument, status: string, { headers = {} }: DescribedResponse): Html {
  const items = Object.entries(headers).map(([name, header]) => {
    const { description = '' } = document.resolve<{ description?: string }>(header);
    return html`<li><p><code class="name">${name}</code></p><p>${inlineMarkdown(description)}</p></li>`;
  });
  return html`<details><summary>Headers of the ${status} response</summary><ul class="fields">${items}</ul></details>\n`;
}

function errorResponse(document: ReferenceDocument, status: string, response: DescribedResponse): Html {
  const contents = Object.values(response.content ?? {});
  const examples = contents.flatMap(({ example, examples: named = {} }) => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(named).map(({ value }) => value),
  ]);
  return html`<li><p><strong>${status}</strong></p>${markdown(response.description)}${contents.map(
    ({ schema }) => errorFields(document, schema),
  )}${examples.map((example) => html`<pre><code>${JSON.stringify(example, null, 2)}</code></pre>`)}</li>`;
}

function errorFields(document: ReferenceDocument, error: Content['schema']): Html | null {
  const { oneOf = [error] } = document.schema(error);
  const properties = Object.assign({}, ...oneOf.map((one) => document.schema(one).properties));
  const { code, message, doc_url: page, ...own } = properties;
  return schemaFields(document, { properties: own });
}

/** In a command, the place of the URL that precedes all paths. The page's script replaces it. */
const baseVariable = '$BRANDPORT_URL';

/** Returns a shell command that sends the example of an operation, with its required parameters only. */
function curlExample({ method, path, parameters, contents }: ListedOperation): string {
  const required = parameters.filter((parameter) => parameter.required);
  const exampleOf = ({ example }: { readonly example?: unknown }) => String(example ?? '');
  let target = path;
  for (const one of required.filter((parameter) => parameter.in === 'path'))
    target = target.replace(`{${one.name}}`, encodeURIComponent(exampleOf(one)));
  const query = required
    .filter((one) => one.in === 'query')
    .map((one) => `${one.name}=${encodeURIComponent(exampleOf(one))}`)
    .join('&');
  const headers = required.filter((one) => one.in === 'header');
  const [content] = Object.entries(contents);
  const { example } = content?.[1] ?? {};
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${baseVariable}${target}${query === '' ? '' : `?${query}`}"`,
    '-H "Authorization: Bearer $BRANDPORT_KEY"',
    ...headers.map((one) => `-H ${quoted(`${one.name}: ${exampleOf(one)}`)}`),
    ...(content === undefined ? [] : [`-H ${quoted(`Content-Type: ${content[0]}`)}`]),
    ...(example === undefined
      ? []
      : [`-d ${quoted(typeof example === 'string' ? example : JSON.stringify(example))}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
