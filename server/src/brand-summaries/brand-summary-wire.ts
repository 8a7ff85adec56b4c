import { type Static, Type } from 'typebox';
import { ExactFilter, NamedObject, Nullable, Timestamp } from '../api/field-schemas.ts';
import { pageQuery } from '../api/pagination.ts';
import { sortQuery } from '../api/sort.ts';
import { BrandWire, brandExample, brandToWire } from '../brands/brand-wire.ts';
import { type BrandSummary, brandSortColumns, type ListedBrand } from './brand-summary-store.ts';

const failedLines =
  'Failed lines that are left, in feeds that ended in the last 24 hours, as `failed_lines_left` of these counts them.';

export const BrandSummaryWire = NamedObject(
  'BrandSummary',
  {
    products: Type.Integer({ minimum: 0, description: 'Products of the catalog, inactive ones included.' }),
    active_keys: Type.Integer({ minimum: 0, description: 'Keys that are neither revoked nor expired.' }),
    last_request_at: Nullable(Timestamp(), {
      description: 'The last request with a key or feed token that still exists, up to ten seconds late.',
    }),
    oldest_feed_at: Nullable(Timestamp(), {
      description: 'When the oldest unfinished feed was received; null if all feeds are finished.',
    }),
    latest_date: Nullable(Type.String({ format: 'date' }), {
      description:
        'The last aggregated day; null if nothing has been aggregated, or while the analytics store is unavailable.',
    }),
    failed_lines_24h: Type.Integer({ minimum: 0, description: failedLines }),
  },
  { description: 'Figures of the brand.' },
);

const brandSummaryExample: Static<typeof BrandSummaryWire> = {
  products: 512,
  active_keys: 2,
  last_request_at: '2026-03-02T09:14:03.120Z',
  oldest_feed_at: null,
  latest_date: '2026-03-01',
  failed_lines_24h: 0,
};

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ListedBrandWire = NamedObject('BrandListed', {
  ...BrandWire.properties,
  requests_24h: count('Requests of API keys in the last 24 hours, whole UTC hours.'),
  refused_24h: count('Those rejected with another 4xx than 429.'),
  denied_24h: count('Those rejected with 429, because of a rate limit.'),
  failed_lines_24h: count(failedLines),
  hourly_requests: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Requests of API keys in each of the 24 UTC hours before the current one, the oldest first. Only with `include=summary`.',
    }),
  ),
  summary: Type.Optional(BrandSummaryWire),
});

export const BrandListQuery = Type.Object({
  q: ExactFilter({
    description: 'Only brands whose name contains this text, in upper or lower case, or that have this id.',
    examples: ['maison'],
  }),
  search: ExactFilter({ description: 'The former name of `q`.', examples: ['maison'] }),
  include: Type.Optional(
    Type.String({
      enum: ['summary'],
      description: '`summary`: adds the figures of each brand.',
      examples: ['summary'],
    }),
  ),
  ...sortQuery(brandSortColumns, 'by id'),
  ...pageQuery,
});

export const BrandDetailWire = NamedObject('BrandDetail', {
  ...BrandWire.properties,
  figures: BrandSummaryWire,
});

export const listedBrandExample: Static<typeof ListedBrandWire> = {
  ...brandExample,
  requests_24h: 12_480,
  refused_24h: 31,
  denied_24h: 4,
  failed_lines_24h: 0,
  hourly_requests: [...Array<number>(23).fill(520), 410],
  summary: brandSummaryExample,
};

export const brandDetailExample: Static<typeof BrandDetailWire> = {
  ...brandExample,
  figures: brandSummaryExample,
};

export function listedBrandToWire(
  { brand, day }: ListedBrand,
  summary: BrandSummary | undefined,
  hourly: readonly number[] | undefined,
): Static<typeof ListedBrandWire> {
  return {
    ...brandToWire(brand),
    requests_24h: day.requests,
    refused_24h: day.refused,
    denied_24h: day.denied,
    failed_lines_24h: day.failedLines,
    ...(hourly !== undefined && { hourly_requests: [...hourly] }),
    ...(summary !== undefined && { summary: brandSummaryToWire(summary) }),
  };
}

export function brandSummaryToWire(summary: BrandSummary): Static<typeof BrandSummaryWire> {
  return {
    products: summary.products,
    active_keys: summary.activeKeys,
    last_request_at: summary.lastRequestAt?.toISOString() ?? null,
    oldest_feed_at: summary.oldestFeedAt?.toISOString() ?? null,
    latest_date: summary.latestDay,
    failed_lines_24h: summary.failedLines,
  };
}
