import { isDay, isDayOrInstant, parseInstant } from '../../lib/instant.ts';
import { isStorableText, isTrimmed, isWellFormedLanguageTag } from '../../lib/text.ts';

/** A format of request schemas: the rule, and the message for a string that violates it. */
interface TextFormat {
  readonly message: string;
  readonly validate: (text: string) => boolean;
}

// The runtime's list omits units of account, funds, metals, and the codes for tests and for no currency.
const otherCurrencies =
  'BOV CHE CHW CLF COU MXV USN UYI UYW VED XAG XAU XBA XBB XBC XBD XPD XPT XTS XUA XXX'.split(' ');
export const currencies: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...otherCurrencies,
]);

export const textFormats: Readonly<Record<string, TextFormat>> = {
  'storable-text': {
    message: 'must not contain U+0000 or unpaired surrogates',
    validate: isStorableText,
  },
  'trimmed-text': {
    message: 'must not start or end with white space, nor contain U+0000 or unpaired surrogates',
    validate: (text) => isStorableText(text) && isTrimmed(text),
  },
  'path-segment': {
    // Not a constraint of the database: existing codes stay [D47].
    message: 'must not be . or .., which a URL path cannot carry',
    validate: (text) => text !== '.' && text !== '..',
  },
  // For a string that is never stored and whose reader has its own error for every problem.
  opaque: {
    message: 'is malformed',
    validate: () => true,
  },
  'date-time': {
    message: 'must be a date-time with an offset, such as 2026-03-01T08:30:00Z',
    validate: (text) => parseInstant(text) !== null,
  },
  date: {
    message: 'must be a valid calendar date, such as 2026-03-01',
    validate: isDay,
  },
  'day-or-instant': {
    message: 'must be a valid calendar date, such as 2026-03-01, or a date-time with an offset',
    validate: isDayOrInstant,
  },
  'iso-4217': {
    message: 'must be an ISO 4217 code of three capital letters, such as EUR',
    validate: (text) => currencies.has(text),
  },
  'bcp-47': {
    message: 'must be a BCP 47 language tag, such as de or pt-BR',
    validate: isWellFormedLanguageTag,
  },
};

export const moneyFormat: {
  readonly message: (value: number) => string;
  readonly validate: (value: number) => boolean;
} = {
  /** Returns the message for a number that violates the rule; for the result of a calculation, it says how to round. */
  message: (value: number): string => {
    const rule = 'must have at most 4 decimal places';
    const rounded = Number(value.toFixed(4));
    // Sums of prices differ by less, and one operation by the distance of two doubles.
    const isComputed = Math.abs(value - rounded) <= Math.max(1e-9, value * Number.EPSILON);
    return isComputed ? `${rule}; round a computed price before you send it, here to ${rounded}` : rule;
  },
  validate: hasFourPlacesAtMost,
};

function hasFourPlacesAtMost(value: number): boolean {
  const text = String(value);
  // Exponents appear below 1e-6 (too many places) and from 1e21 on (beyond the maximum, which says so itself).
  if (text.includes('e-')) return false;
  const point = text.indexOf('.');
  return point === -1 || text.length - point - 1 <= 4;
}
