import { type Static, Type } from 'typebox';
import type { Caller } from '../../api/access.ts';
import {
  Currency,
  exampleIds,
  LanguageTag,
  Money,
  NamedObject,
  Nullable,
  ReservedObject,
  ShownMoney,
  Text,
  Timestamp,
  TrimmedText,
} from '../../api/field-schemas.ts';
import { instantText } from '../../lib/source-time.ts';
import { AxisSummaryWire, axisSummaryToWire } from '../axis-selection/axis-selection-wire.ts';
import { FieldProblems } from '../catalog-requests.ts';
import { availabilityStatus, availabilityStatuses } from '../stock/stock-level.ts';
import { EmbeddedVariantWire, embeddedVariantToWire, variantExample } from '../variants/variant-wire.ts';
import {
  type ProductDetailView,
  type ProductFields,
  type ProductTranslations,
  type ProductView,
  priceRange,
  productFields,
  repeatedLanguages,
} from './product.ts';

const TranslationWire = Type.Object({
  title: Type.Optional(Text({ max: 255 })),
  short_description: Type.Optional(Text({ min: 0, max: 5000 })),
});

/** Bounds of `versions`; the text is that of all titles and descriptions, in bytes of UTF-8 [catalog-132]. */
const maxLanguages = 100;
const maxTextBytes = 64 * 1024;

const translations = {
  type: 'object',
  propertyNames: { format: 'bcp-47', maxLength: 35 },
  additionalProperties: TranslationWire,
};

/** The stored form, without bounds: they came after version 0.3 [catalog-133]. */
const TranslationsWire = Type.Unsafe<ProductTranslations>({
  $id: 'ProductVersions',
  ...translations,
  description: 'Translations: language tag to texts.',
});

const WritableTranslations = Type.Unsafe<ProductTranslations>({
  $id: 'ProductVersionsReplace',
  ...translations,
  maxProperties: maxLanguages,
  'x-maxTextBytes': maxTextBytes,
  description:
    'Translations: language tag to texts. PATCH replaces the whole map; omitted languages are removed. To change one language, read the product, change that entry and send the whole map: from `{"en": {"title": "Shirt"}}` to `{"en": {"title": "Shirt"}, "de": {"title": "Hemd"}}`. Tags that differ only in case are rejected. At most 100 languages, and 65,536 bytes (UTF-8) of text in all.',
});

const sku = TrimmedText({
  max: 191,
  description: 'Unique in the brand, among products and variants. Case-sensitive.',
});

const writableFields = {
  title: Type.Optional(Text({ max: 255 })),
  type: Type.Optional(Type.String({ enum: ['simple'] })),
  price_value: Type.Optional(Money()),
  price_currency: Type.Optional(Currency({ description: 'ISO 4217.' })),
  tax_class: Type.Optional(Text({ max: 64 })),
  short_description: Type.Optional(Nullable(Text({ min: 0, max: 5000 }))),
  is_active: Type.Optional(
    Type.Boolean({ description: 'True if the product is visible; `false` archives it.' }),
  ),
  default_language: Type.Optional(LanguageTag({ description: 'BCP 47.' })),
  versions: Type.Optional(WritableTranslations),
};

export const CreateProductBody = NamedObject('ProductCreate', { sku, ...writableFields });
export const UpdateProductBody = NamedObject('ProductUpdate', { sku: Type.Optional(sku), ...writableFields });

/** Absent fields stay absent; unknown keys are dropped. @throws ApiError `validation_failed`, see `translationsFromWire` */
export function fieldsFromWire(body: Static<typeof UpdateProductBody>): Partial<ProductFields> {
  const fields = productFields.fieldsOf(body);
  if (fields.translations === undefined) return fields;
  return { ...fields, translations: translationsFromWire(fields.translations) };
}

/** @throws ApiError `validation_failed` at each tag that differs from an earlier one only in case */
function translationsFromWire(translations: ProductTranslations): ProductTranslations {
  const problems = new FieldProblems();
  for (const tag of repeatedLanguages(translations))
    problems.add(`versions.${tag}`, 'is a duplicate: case is ignored');
  problems.throwIfAny();
  // In the order in which PostgreSQL stores the keys, so that this response and later ones have the same bytes.
  const inOrder = Object.entries(translations).sort(
    ([a], [b]) => a.length - b.length || (a < b ? -1 : Number(a > b)),
  );
  return Object.fromEntries(
    inOrder.map(([language, { title, short_description }]) => [
      language,
      {
        ...(title !== undefined && { title }),
        ...(short_description !== undefined && { short_description }),
      },
    ]),
  );
}

const listItemFields = {
  id: Type.Integer(),
  tu_id: Type.String({ description: 'The id used in paths.' }),
  brand_id: Type.Integer(),
  sku: Nullable(Type.String()),
  type: Type.String(),
  title: Type.String(),
  short_description: Nullable(Type.String()),
  default_language: Type.String(),
  versions: TranslationsWire,
  price_value: ShownMoney(),
  price_currency: Type.String(),
  tax_class: Type.String(),
  is_active: Type.Boolean(),
  profile: ReservedObject('Always null in v1.'),
  has_variants: Type.Boolean({ description: 'True if the product has at least one live variant.' }),
  price_range: Nullable(
    Type.Object({
      min: Nullable(ShownMoney()),
      max: Nullable(ShownMoney()),
      currency: Nullable(Type.String()),
    }),
    { description: 'Effective prices of the active variants; null if there are none.' },
  ),
  availability: Type.Object({
    status: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: [...availabilityStatuses, null],
    }),
  }),
  stock_summary: Type.Optional(
    Type.Object(
      { total_quantity: Type.Integer(), total_reserved: Type.Integer() },
      { description: 'Only for keys that also have `catalog.stock:read`.' },
    ),
  ),
  created_at: Timestamp(),
  updated_at: Timestamp({ description: 'Increases in the order of changes within the brand.' }),
};

type WritableWire = Pick<Static<typeof ProductListItemWire>, keyof typeof writableFields | 'sku'>;

export const ProductListItemWire = NamedObject('ProductListItem', listItemFields);

export const ProductDetailWire = NamedObject('Product', {
  ...listItemFields,
  axes: Type.Array(AxisSummaryWire, { description: 'The selected axes, in the product’s order.' }),
  variants: Type.Array(EmbeddedVariantWire, { description: 'The live variants, ordered by position.' }),
});

/** Omits the stock fields without `catalog.stock:read` [catalog-8]. `now` is in milliseconds since the Unix epoch. */
export function productListItemToWire(
  view: ProductView,
  caller: Caller,
  now: number,
): Static<typeof ProductListItemWire> {
  const { product, stock, availabilitySettings } = view;
  return {
    id: product.id,
    tu_id: product.tuId,
    brand_id: product.brandId,
    ...(productFields.rowOf(product) as WritableWire),
    profile: null,
    has_variants: product.hasVariants,
    price_range: priceRange(product, view.prices),
    availability: { status: availabilityStatus(stock, availabilitySettings, now) },
    ...(caller.scopes.has('catalog.stock:read') && {
      stock_summary: { total_quantity: view.totalQuantity, total_reserved: view.totalReserved },
    }),
    created_at: instantText(product.createdAt),
    updated_at: instantText(product.updatedAt),
  };
}

export function productDetailToWire(
  detail: ProductDetailView,
  caller: Caller,
  now: number,
): Static<typeof ProductDetailWire> {
  const parent = { ...detail.product, availabilitySettings: detail.availabilitySettings };
  return {
    ...productListItemToWire(detail, caller, now),
    axes: detail.axes.map(axisSummaryToWire),
    variants: detail.variants.map((variant) => embeddedVariantToWire(variant, parent, caller, now)),
  };
}

const exampleListItem = {
  id: 1001,
  tu_id: exampleIds.product,
  brand_id: 1,
  sku: 'TEE-001',
  type: 'simple',
  title: 'Organic tee',
  short_description: 'Heavy cotton, regular fit.',
  default_language: 'en',
  versions: { de: { title: 'Bio-T-Shirt' } },
  price_value: 24.9,
  price_currency: 'EUR',
  tax_class: 'standard',
  is_active: true,
  profile: null,
  has_variants: false,
  price_range: null,
  availability: { status: null },
  stock_summary: { total_quantity: 0, total_reserved: 0 },
  created_at: '2026-03-01T08:30:00.000Z',
  updated_at: '2026-03-01T08:30:00.000Z',
};

const exampleDetail = {
  ...exampleListItem,
  has_variants: true,
  price_range: { min: 24.9, max: 24.9, currency: 'EUR' },
  availability: { status: 'in_stock' },
  stock_summary: { total_quantity: 50, total_reserved: 0 },
  axes: [
    {
      code: 'color',
      label: 'Colour',
      position: 0,
      values: [
        { value: 'red', label: 'Red', position: 0 },
        { value: 'blue', label: 'Blue', position: 1 },
      ],
    },
    {
      code: 'size',
      label: 'Size',
      position: 1,
      values: [
        { value: 's', label: 'S', position: 0 },
        { value: 'm', label: 'M', position: 1 },
      ],
    },
  ],
  variants: [variantExample.embedded],
};

export const productExample = {
  listItem: exampleListItem,
  detail: exampleDetail,
  create: {
    sku: 'SCARF-001',
    title: 'Wool scarf',
    short_description: 'Merino, woven.',
    price_value: 39,
    price_currency: 'EUR',
    is_active: true,
    versions: { de: { title: 'Wollschal' } },
  },
  created: {
    ...exampleListItem,
    id: 1006,
    tu_id: 'Hc5wQe1TnB_s9LxZ0pVaG',
    sku: 'SCARF-001',
    title: 'Wool scarf',
    short_description: 'Merino, woven.',
    versions: { de: { title: 'Wollschal' } },
    price_value: 39,
    axes: [],
    variants: [],
  },
  updated: { ...exampleDetail, short_description: 'Heavy cotton.', price_value: 19.9 },
  update: { price_value: 19.9, short_description: 'Heavy cotton.' },
};
