/** A part of a brand's audience, such as a country. */
export interface Market {
  readonly id: number;
  readonly tuId: string;
  readonly name: string | null;
}

/** An upsert of a market; an absent name is left unchanged. */
export interface MarketItem {
  readonly tuId: string;
  readonly name?: string;
}
