/** The published replacement of a format that only Brandport's own validator knows. */
export interface PublishedForm {
  readonly description?: string;
  readonly pattern?: string;
}

/**
 * The formats of `http/validation/formats.ts` that are unknown to an integrator's tools. Each pattern accepts
 * everything that the validator accepts. `date-time` is a JSON Schema format and is kept.
 */
export const publishedForms: Readonly<Record<string, PublishedForm>> = {
  'storable-text': {},
  'trimmed-text': { pattern: '^\\S(?:[\\s\\S]*\\S)?$' },
  'path-segment': {},
  opaque: {},
  'day-or-instant': {
    description:
      'A day, such as `2026-03-01`, or a date-time with an offset, such as `2026-03-01T08:30:00Z`.',
    pattern: '^\\d{4}-\\d{2}-\\d{2}(?:[Tt].+)?$',
  },
  money: {},
  'iso-4217': { description: 'ISO 4217 currency code.', pattern: '^[A-Z]{3}$' },
  'bcp-47': {
    description: 'BCP 47 language tag, such as `en` or `pt-BR`.',
    pattern: '^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})+$|^[A-Za-z]{2,8}$',
  },
};

/** Formats of JSON Schema, which are published unchanged. */
export const standardFormats: ReadonlySet<string> = new Set(['date-time', 'date', 'uri', 'uuid']);
