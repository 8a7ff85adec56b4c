const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns the text as HTML shows it, in an element or in an attribute within quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}

/** Text that is HTML already. `html` inserts it unchanged, and escapes everything else. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Inserted = Html | string | number | null | readonly Inserted[];

/** Builds HTML from a template. Strings are escaped, lists are joined, null is left out. */
export function html(parts: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(inserted)));
}

function inserted(value: Inserted): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(inserted).join('');
  return escapeHtml(String(value));
}
