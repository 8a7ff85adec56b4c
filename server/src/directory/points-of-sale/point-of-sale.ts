/** What an upsert says of a point of sale; what is absent keeps what is stored. */
export interface PointOfSaleItem {
  readonly tuId: string;
  readonly name?: string;
  /** external_code of the stock location that it is attached to; null detaches it. */
  readonly location?: string | null;
}
