/** An upsert of a point of sale; absent fields are left unchanged. */
export interface PointOfSaleItem {
  readonly tuId: string;
  readonly name?: string;
  /** external_code of its stock location; null detaches it. */
  readonly location?: string | null;
}
