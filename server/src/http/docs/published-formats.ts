/** What stands in the published document in the place of a format that only Brandport's own validator knows. */
export interface PublishedForm {
  readonly description?: string;
  readonly pattern?: string;
}

/**
 * The formats of `http/validation/formats.ts` that mean nothing to an integrator's tools. The patterns let through
 * everything that the validator lets through. `date-time` is a format of JSON Schema and stays.
 */
export const publishedForms: Readonly<Record<string, PublishedForm>> = {
  'storable-text': {},
  'trimmed-text': { pattern: '^\\S(?:[\\s\\S]*\\S)?$' },
  'path-segment': {},
  opaque: {},
  money: { description: 'At most 4 decimal places.' },
  'iso-4217': { description: 'ISO 4217 currency code.', pattern: '^[A-Z]{3}$' },
  'bcp-47': {
    description: 'BCP 47 language tag, such as `en` or `pt-BR`.',
    pattern: '^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})+$|^[A-Za-z]{2,8}$',
  },
};

/** The formats that are published as they are: those that JSON Schema defines. */
export const standardFormats: ReadonlySet<string> = new Set(['date-time', 'date', 'uri', 'uuid']);
