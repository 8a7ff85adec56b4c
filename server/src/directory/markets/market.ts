/** An upsert of a market; an absent name is left unchanged. */
export interface MarketItem {
  readonly tuId: string;
  readonly name?: string;
}
