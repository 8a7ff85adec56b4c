/** A part of a brand's audience, such as a country. */
export interface Market {
  readonly id: number;
  readonly tuId: string;
  readonly name: string | null;
}

/** What an upsert says of a market; an absent name keeps what is stored. */
export interface MarketItem {
  readonly tuId: string;
  readonly name?: string;
}
