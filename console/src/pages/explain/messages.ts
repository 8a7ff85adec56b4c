import { figure } from '../../parts/messages.ts';

/** The words of the page that explains a quantity. */
export const messages = {
  title: 'Explain',
  tabTitle: (sku: string, location: string) => `Explain ${sku} at ${location}`,
  lead: 'Why a SKU has this quantity at a location, now or at an instant, or what changed between two.',
  sku: 'SKU',
  location: 'Location code',
  from: 'Changed since',
  at: 'As of',
  ask: 'Enter a SKU and a location code',
  askText: 'The codes are those that the integrations send.',
  levels: 'Levels of the SKU',
  changed: 'Changed',
  none: 'This SKU has had no quantity at this location',
  unknown: 'The brand has no such SKU or no such location',
  unknownSku: (sku: string) => `The brand has no SKU "${sku}"`,
  unknownLocation: (code: string) => `The brand has no location "${code}"`,
  similar: 'Did you mean',
  locationOf: (code: string, name: string, quantity: number | undefined) =>
    `${name === code ? code : `${code}, ${name}`}, ${quantity === undefined ? 'no level' : `${figure(quantity)} now`}`,
  export: {
    action: 'Export as JSON',
    reading: 'Reading…',
    failed: (reason: string) => `The export failed: ${reason}`,
  },
  slider: {
    label: 'As of',
    now: 'now',
    previous: '‹ Previous change',
    next: 'Next change ›',
  },
  difference: {
    sum: (change: number) =>
      change === 0
        ? 'The quantity is the same at both instants.'
        : `The quantity ${change > 0 ? 'rose' : 'fell'} by ${figure(Math.abs(change))} between the two instants.`,
    reversed: 'The first instant is after the second one',
  },
  label: 'From the quantity to its causes',
  quantity: 'Quantity',
  now: 'now',
  reserved: (count: number) => `${figure(count)} reserved now`,
  available: (count: number) => `${figure(count)} available now`,
  kinds: { adjustment: 'Adjustment', feed_line: 'Feed line' },
  refused: { stale: 'Stale line', superseded: 'Superseded line' },
  notApplied: 'not applied, because a newer quantity was known',
  dropped: 'a quantity that is no longer stored',
  feed: 'Feed',
  line: (line: number) => `line ${figure(line)}`,
  updated: 'time in the source',
  request: 'Request',
  key: 'Key',
  moreRefused: 'Earlier refused lines',
  earlier: 'Earlier movements',
  latest: 'Latest movements',
} as const;
