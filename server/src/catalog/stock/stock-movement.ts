export const movementReasons = ['manual', 'feed'] as const;

/** One change of a level's quantity, as the ledger stores it. */
export interface StockMovement {
  readonly id: number;
  readonly productTuId: string;
  /** null: the product's own stock. */
  readonly variantTuId: string | null;
  readonly sku: string;
  readonly location: string;
  readonly quantityBefore: number;
  readonly quantityAfter: number;
  readonly reason: (typeof movementReasons)[number];
  readonly note: string;
  readonly createdAt: Date;
}
