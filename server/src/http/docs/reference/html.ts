import { escapeHtml } from '../escape-html.ts';

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
