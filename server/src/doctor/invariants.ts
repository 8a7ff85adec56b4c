/** An invariant across rows of the databases, beyond the constraints on single rows. */
export interface Invariant {
  /** The name of the check, also in reports. */
  readonly id: string;
  readonly tables: readonly string[];
  /** A sentence. */
  readonly holds: string;
  /** The effect of `--repair`; null: none, because both sides may be wrong. */
  readonly repair: string | null;
}

const fromEvents = 'aggregates from the first damaged day to the last';

/**
 * All invariants of the schema that are not constraints on a single row, and `references`, which constraints enforce
 * unless they were disabled. Each has a check with its id and a damage case in `tests/damages.ts`.
 * `docs/invariants.md` is generated from this list and those of the extensions.
 */
export const invariants: readonly Invariant[] = [
  {
    id: 'sku_claims',
    tables: ['sku_claims', 'products', 'variants'],
    holds: 'Each claim of a SKU names the one product or variant that has the SKU.',
    repair: 'rewrites the claim; not where two have the SKU',
  },
  {
    id: 'variant_rollup',
    tables: ['products', 'variants'],
    holds: 'The variant rollup of a product equals the totals of its live variants.',
    repair: 'recomputes it and moves `updated_at`',
  },
  {
    id: 'product_counters',
    tables: ['brand_catalogs', 'products'],
    holds: 'The counters of a brand are the numbers of its products.',
    repair: 'counts again',
  },
  {
    id: 'stock_level_copies',
    tables: ['stock_levels', 'products', 'variants', 'stock_locations'],
    holds:
      'A level repeats the SKU of its owner, the code of its location, and whether its variant is deleted.',
    repair: 'copies again; not where the level is disputed',
  },
  {
    id: 'stock_ledger',
    tables: ['stock_levels', 'stock_movements'],
    holds: "A level's movements form a chain from 0 to its quantity.",
    repair: null,
  },
  {
    id: 'product_stock',
    tables: ['product_stock', 'stock_levels', 'stock_locations', 'variants'],
    holds: 'Each product has a stock rollup that follows from its levels.',
    repair: 'recomputes it; not where a level of the product is disputed',
  },
  {
    id: 'movement_owners',
    tables: ['stock_movements', 'stock_levels'],
    holds: 'A movement and its level belong to the same product and variant.',
    repair: null,
  },
  {
    id: 'level_owners',
    tables: ['stock_levels', 'variants'],
    holds: "A level's variant is a variant of the level's product.",
    repair: null,
  },
  {
    id: 'variant_combinations',
    tables: ['variants', 'axis_values'],
    holds: 'The combination of a live variant names existing axes and values, in the order of axis ids.',
    repair: null,
  },
  {
    id: 'variant_values',
    tables: ['variant_axis_values', 'variants'],
    holds: 'A live variant carries the values of its combination, a deleted one none.',
    repair: 'rewrites them; not where the combination names what does not exist',
  },
  {
    id: 'axis_selections',
    tables: ['product_axes', 'product_axis_values', 'variants'],
    holds: 'A product selects every value that its live variants carry.',
    repair: 'selects it and moves `updated_at`',
  },
  {
    id: 'catalog_stamp',
    tables: ['brand_catalogs', 'products'],
    holds: "A brand's last stamp is not before the `updated_at` of any of its products.",
    repair: 'moves the stamp forward',
  },
  {
    id: 'stock_versions',
    tables: ['brand_stocks', 'stock_changes'],
    holds: 'The stock version and stamp of a brand are not behind its latest recorded change of stock.',
    repair: 'raises them',
  },
  {
    id: 'feed_totals',
    tables: ['stock_feeds', 'stock_feed_packs'],
    holds:
      'The totals of a feed count its decided lines; it has as many lines as it received, and decides them in order. If its lines were dropped, it has none, and the totals of a completed feed add up to the received lines.',
    repair: 'counts again; not where lines are missing, were passed over or were dropped',
  },
  {
    id: 'feed_progress',
    tables: ['stock_feeds', 'stock_feed_packs'],
    holds: 'A completed feed has passed all of its lines; no line after `next_line` is decided.',
    repair: 'completes `next_line`; not decided lines',
  },
  {
    id: 'feed_numbering',
    tables: ['stock_feeds', 'stock_feed_packs'],
    holds: 'Lines are numbered from 0 without a gap, a report order names each of them once.',
    repair: null,
  },
  {
    id: 'idempotency_records',
    tables: ['idempotency_records'],
    holds: 'Idempotency records are not from the future, and their fingerprints have 32 bytes.',
    repair: null,
  },
  {
    id: 'references',
    tables: ['all tables of a brand'],
    holds: 'Every foreign key within a brand finds its row.',
    repair: null,
  },
  {
    id: 'dataset_daily',
    tables: ['analytics.daily', 'analytics.learning_events'],
    holds: 'Daily rows and their running totals follow from the raw events.',
    repair: fromEvents,
  },
  {
    id: 'dataset_contents',
    tables: ['analytics.contents', 'analytics.learning_events'],
    holds: 'Content rows and their running totals follow from the raw events.',
    repair: fromEvents,
  },
  {
    id: 'dataset_users',
    tables: ['analytics.users', 'analytics.learning_events'],
    holds: 'Learner rows and their running totals follow from the raw events.',
    repair: fromEvents,
  },
  {
    id: 'dataset_content_engagement',
    tables: ['analytics.content_engagement', 'analytics.learning_events'],
    holds: 'Rows by learner and content and their running totals follow from the raw events.',
    repair: fromEvents,
  },
  {
    id: 'dataset_day_records',
    tables: ['analytics.brand_days', 'the datasets'],
    holds:
      'A day record counts the rows of its day (an erasure may have removed rows of learners since), and every day with events has one.',
    repair: fromEvents,
  },
  {
    id: 'dataset_revisions',
    tables: ['analytics.dataset_revisions', 'analytics.brand_days'],
    holds:
      'Each dataset has a revision of each aggregated day and of no other, so that `latest_date` is right.',
    repair: fromEvents,
  },
  {
    id: 'event_days',
    tables: ['analytics.learning_events'],
    holds: 'The day of an event is the UTC day of its instant.',
    repair: null,
  },
  {
    id: 'event_claims',
    tables: ['analytics.event_claims', 'analytics.learning_events'],
    holds: 'Every event has a claim of its id for its day, and every claim has its event.',
    repair: null,
  },
];
