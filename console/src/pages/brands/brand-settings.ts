import type { ResponseOf } from '../../api/call.ts';

export type Settings = ResponseOf<'getBrand'>['settings'];

/** The fields of the form, as typed. */
export type SettingsText = {
  readonly name: string;
  readonly currency: string;
  readonly default_language: string;
  readonly low_stock_threshold: string;
  readonly stale_after_hours: string;
};

/** The settings of a new brand. */
export const newSettings: SettingsText = {
  name: '',
  currency: 'EUR',
  default_language: 'en',
  low_stock_threshold: '5',
  stale_after_hours: '',
};

export function textOfSettings(name: string, settings: Settings): SettingsText {
  return {
    name,
    currency: settings.currency,
    default_language: settings.default_language,
    low_stock_threshold: String(settings.low_stock_threshold),
    stale_after_hours: settings.stale_after_hours === null ? '' : String(settings.stale_after_hours),
  };
}

/** The names of the fields, in the order of the form. */
export const settingsFields = [
  'name',
  'currency',
  'default_language',
  'low_stock_threshold',
  'stale_after_hours',
] as const satisfies readonly (keyof SettingsText)[];

export type SettingsField = (typeof settingsFields)[number];

/** Returns the body of a change, with the fields that differ from what they were. */
export function bodyOfChange(before: SettingsText, after: SettingsText) {
  const { name, settings } = bodyOfText(after);
  const isChanged = (field: SettingsField) => after[field] !== before[field];
  return {
    ...(isChanged('name') && { name }),
    settings: Object.fromEntries(
      Object.entries(settings).filter(([field]) => isChanged(field as SettingsField)),
    ) as Partial<typeof settings>,
  };
}

/** Returns the body of a request. What is not a number is sent as typed, so that the server's message names it. */
export function bodyOfText({ name, ...text }: SettingsText) {
  return {
    name,
    settings: {
      currency: text.currency.trim(),
      default_language: text.default_language.trim(),
      low_stock_threshold: numberOf(text.low_stock_threshold),
      stale_after_hours: text.stale_after_hours.trim() === '' ? null : numberOf(text.stale_after_hours),
    },
  };
}

function numberOf(text: string): number {
  const value = Number(text);
  return (text.trim() === '' || Number.isNaN(value) ? text : value) as number;
}
