import { type Html, html } from '../html.ts';
import type { DescribedParameter, ReferenceDocument } from './described-document.ts';
import { exampleText, type ListedOperation } from './listed-operation.ts';

/** Renders the form that sends a request. It is hidden until the page's script runs, which does the sending. */
export function tryForm(document: ReferenceDocument, operation: ListedOperation): Html {
  const { id, method, path, parameters, contents } = operation;
  return html`<details class="try" hidden><summary>Try it<span class="hidden">: ${operation.summary}</span></summary>
<form data-method="${method}" data-path="${path}" data-operation="${id}">
${parameters.map((parameter) => parameterInput(document, id, parameter))}${bodyInput(id, contents)}<button>Send request</button>
</form>
<div class="answer" role="status"></div>
</details>`;
}

function parameterInput(document: ReferenceDocument, id: string, parameter: DescribedParameter): Html {
  const { name, in: place, required, example } = parameter;
  const control = `${id}-${place}-${name}`;
  const text = example === undefined ? '' : String(example);
  const label = html`<label for="${control}"><code>${name}</code> ${place}${required ? ', required' : null}</label>`;
  const common = html`id="${control}" name="${name}" data-in="${place}"${required ? html` required` : null}`;
  const { type, enum: values } = document.schema(parameter.schema);
  const choices = values ?? (type === 'boolean' ? [true, false] : undefined);
  if (choices !== undefined && !required)
    return html`<p>${label}<select ${common}><option value="">not sent</option>${choices.map((one) => html`<option>${String(one)}</option>`)}</select></p>\n`;
  // The script gives each request its own key.
  const value = required && name !== 'Idempotency-Key' ? html` value="${text}"` : null;
  return html`<p>${label}<input ${common}${value} placeholder="${text}" autocomplete="off" spellcheck="false"></p>\n`;
}

function bodyInput(id: string, contents: ListedOperation['contents']): Html | null {
  const types = Object.entries(contents);
  const [first] = types;
  if (first === undefined) return null;
  const control = `${id}-body`;
  const choices = types.map(
    ([type, content]) =>
      html`<option value="${type}" data-example="${exampleText(content)}">${type}</option>`,
  );
  const rows = Math.min(16, exampleText(first[1]).split('\n').length + 1);
  return html`<p><label for="${control}-type">Content type</label><select id="${control}-type" data-in="content-type">${choices}</select></p>
<p><label for="${control}">Body</label><textarea id="${control}" data-in="body" rows="${rows}" spellcheck="false">
${exampleText(first[1])}</textarea></p>
`;
}
