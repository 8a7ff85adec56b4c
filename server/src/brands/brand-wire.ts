import { type Static, Type } from 'typebox';
import { Currency, LanguageTag, NamedObject, Nullable, Text, Timestamp } from '../api/field-schemas.ts';
import { notFound } from '../errors/api-error.ts';
import { type Brand, type BrandSettings, defaultSettings } from './brand.ts';

const maxInt4 = 2_147_483_647;

const BrandSettingsInput = Type.Object({
  currency: Type.Optional(
    Currency({
      description: `ISO 4217. Default for products without a currency. A new brand has \`${defaultSettings.currency}\`.`,
    }),
  ),
  default_language: Type.Optional(
    LanguageTag({
      description: `BCP 47. Default for products without a language. A new brand has \`${defaultSettings.defaultLanguage}\`.`,
    }),
  ),
  low_stock_threshold: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInt4,
      description: `Availability is \`low_stock\` up to this available quantity. A new brand has ${defaultSettings.lowStockThreshold}.`,
    }),
  ),
  stale_after_hours: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: maxInt4 }), {
      description: 'Hours without a feed after which stock is `stale`. null: never, as in a new brand.',
    }),
  ),
});

const nameInput = Text({ max: 255, description: 'Shown to operators.', examples: ['Maison Aurore'] });

export const CreateBrandBody = NamedObject('BrandCreate', {
  name: nameInput,
  settings: Type.Optional(BrandSettingsInput),
});

export const UpdateBrandBody = NamedObject('BrandUpdate', {
  name: Type.Optional(nameInput),
  settings: Type.Optional(BrandSettingsInput),
});

/** Accepts any string, because a non-numeric id is a 404, not a 422. */
export const BrandParams = Type.Object({
  id: Type.String({ description: 'Id of the brand, an integer.', examples: ['1'] }),
});

/** The parameter `brand_id` of lists across brands. */
export const brandQuery = {
  brand_id: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxInt4, description: 'Only rows of this brand.', examples: [1] }),
  ),
};

export const BrandWire = NamedObject('Brand', {
  id: Type.Integer(),
  name: Type.String(),
  settings: Type.Object({
    currency: Type.String(),
    default_language: Type.String(),
    low_stock_threshold: Type.Integer(),
    stale_after_hours: Nullable(Type.Integer()),
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});

export const brandExample: Static<typeof BrandWire> = {
  id: 1,
  name: 'Maison Aurore',
  settings: { currency: 'EUR', default_language: 'en', low_stock_threshold: 5, stale_after_hours: null },
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

/** @throws ApiError `not_found` if no brand can have this id */
export function brandIdFromPath(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(id <= maxInt4)) throw notFound();
  return id;
}

/** Reads the settings in a body. `stale_after_hours: null` is a value; an absent key is not. */
export function settingsFromWire(input: Static<typeof BrandSettingsInput> = {}): Partial<BrandSettings> {
  return {
    ...(input.currency !== undefined && { currency: input.currency }),
    ...(input.default_language !== undefined && { defaultLanguage: input.default_language }),
    ...(input.low_stock_threshold !== undefined && { lowStockThreshold: input.low_stock_threshold }),
    ...(input.stale_after_hours !== undefined && { staleAfterHours: input.stale_after_hours }),
  };
}

export function brandToWire({ id, name, settings, createdAt, updatedAt }: Brand): Static<typeof BrandWire> {
  return {
    id,
    name,
    settings: {
      currency: settings.currency,
      default_language: settings.defaultLanguage,
      low_stock_threshold: settings.lowStockThreshold,
      stale_after_hours: settings.staleAfterHours,
    },
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
