import { type Static, Type } from 'typebox';
import { Nullable, Timestamp } from '../api/field-schemas.ts';
import { BrandWire, brandExample } from '../brands/brand-wire.ts';
import type { BrandSummary } from './read-summaries.ts';

export const BrandSummaryWire = Type.Object(
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
  },
  { description: 'Figures of the brand.' },
);

const brandSummaryExample: Static<typeof BrandSummaryWire> = {
  products: 512,
  active_keys: 2,
  last_request_at: '2026-03-02T09:14:03.120Z',
  oldest_feed_at: null,
  latest_date: '2026-03-01',
};

export const ListedBrandWire = Type.Object({
  ...BrandWire.properties,
  summary: Type.Optional(BrandSummaryWire),
});

export const BrandDetailWire = Type.Object({ ...BrandWire.properties, summary: BrandSummaryWire });

export const listedBrandExample: Static<typeof BrandDetailWire> = {
  ...brandExample,
  summary: brandSummaryExample,
};

export function brandSummaryToWire(summary: BrandSummary): Static<typeof BrandSummaryWire> {
  return {
    products: summary.products,
    active_keys: summary.activeKeys,
    last_request_at: summary.lastRequestAt?.toISOString() ?? null,
    oldest_feed_at: summary.oldestFeedAt?.toISOString() ?? null,
    latest_date: summary.latestDay,
  };
}
