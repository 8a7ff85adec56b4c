import { Marked } from 'marked';
import { Html, html } from '../html.ts';

const marked = new Marked({
  renderer: {
    // Raw HTML is shown as text: descriptions contain placeholders such as <API_KEY>.
    html: ({ text }) => html`${text}`.text,
  },
});

// Operations share the descriptions of their errors, headers and fields. Bounded by the texts of the documents.
const blocks = new Map<string, Html>();
const lines = new Map<string, Html>();

export function markdown(text: string): Html {
  return kept(blocks, text, () => marked.parse(text, { async: false }));
}

/** Renders a description of one paragraph, without the paragraph. */
export function inlineMarkdown(text: string): Html {
  return kept(lines, text, () => marked.parseInline(text, { async: false }));
}

function kept(rendered: Map<string, Html>, text: string, render: () => string): Html {
  const known = rendered.get(text) ?? new Html(render());
  rendered.set(text, known);
  return known;
}
