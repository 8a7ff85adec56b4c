import { figure } from '../../parts/messages.ts';

/** The words of the pages about brands. */
export const messages = {
  title: 'Brands',
  lead: 'Each brand has its own catalog, learners and API keys.',
  create: 'New brand',
  search: 'Name or id',
  requests: 'Requests, 24 h',
  refused: 'Refused',
  denied: 'Denied (429)',
  failedLines: 'Failed lines',
  table: 'Brands',
  name: 'Name',
  id: 'Id',
  products: 'Products',
  keys: 'Active keys',
  lastRequest: 'Last request',
  oldestFeed: 'Oldest open feed',
  latestDay: 'Latest day',
  created: 'Created',
  noFeed: '–',
  tiles: {
    latest: 'Latest day of the datasets',
    latestNote: 'aggregated at night',
  },
  empty: 'No brand yet',
  emptyText: 'A brand is the first thing to create. Its API keys come next.',
  noneFound: 'No brand has this name',
  form: {
    sameName: 'A brand of this name exists:',
    title: 'New brand',
    name: 'Name',
    nameHint: 'Shown to operators only.',
    currency: 'Currency',
    currencyHint: 'ISO 4217. For products without their own.',
    language: 'Language',
    languageHint: 'BCP 47, such as en or fr-CH. For products without their own.',
    lowStock: 'Low stock threshold',
    lowStockHint: 'Availability is low_stock up to this available quantity.',
    stale: 'Stale after, hours',
    staleHint: 'Without a feed for so long, stock counts as stale. Empty: never.',
    submit: 'Create the brand',
    save: 'Save',
    saved: 'The settings are saved.',
    created: (name: string) => `${name} is created. It needs a key next.`,
  },
  overview: {
    settings: 'Settings',
    firstKey: 'Create a key',
    noKey: 'This brand has no active API key: no integration can reach it.',
  },
  stock: {
    title: 'Stock',
    asOf: 'as of',
    none: 'No stock level yet',
    well: 'All levels are in stock',
    wanting: (count: number, levels: number) =>
      `${figure(count)} of ${figure(levels)} levels are out of stock, low or stale`,
    table: 'Stock by location',
    location: 'Location',
    levels: 'Levels',
    out: 'Out of stock',
    low: 'Low',
    stale: 'Stale',
    products: 'Show the list',
  },
  effects: {
    becomesLow: (from: number, to: number) => `Stock with ${rangeOf(from, to)} available becomes low_stock.`,
    becomesInStock: (from: number, to: number) =>
      `Stock with ${rangeOf(from, to)} available becomes in_stock.`,
    neverStale: 'Stock no longer becomes stale.',
    becomesStaleAfter: (hours: number) =>
      `Stock that feeds last reported more than ${hours} hours ago becomes stale.`,
    becomesStale: (from: number, to: number) =>
      `Stock that feeds last reported ${from} to ${to} hours ago becomes stale.`,
    noLongerStale: (from: number, to: number) =>
      `Stock that feeds last reported ${from} to ${to} hours ago is no longer stale.`,
  },
} as const;

function rangeOf(from: number, to: number): string {
  return from === to ? String(from) : `${from} to ${to}`;
}
