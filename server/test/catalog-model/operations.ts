import fc from 'fast-check';

/** One random write. Numbers select an existing item, modulo their count. */
export type RandomOperation =
  | { readonly kind: 'create'; readonly price: number; readonly isActive: boolean }
  | { readonly kind: 'patch'; readonly product: number; readonly price: number; readonly isActive: boolean }
  | { readonly kind: 'rename'; readonly product: number }
  | { readonly kind: 'select'; readonly product: number; readonly colours: number; readonly sizes: number }
  | {
      readonly kind: 'variant';
      readonly product: number;
      readonly combination: number;
      readonly price: number | null;
    }
  | {
      readonly kind: 'generate';
      readonly product: number;
      readonly activate: boolean;
      readonly dryRun: boolean;
    }
  | {
      readonly kind: 'patch-variant';
      readonly product: number;
      readonly variant: number;
      readonly price: number | null;
      readonly isActive: boolean;
      readonly rename: boolean;
    }
  | { readonly kind: 'delete-variant'; readonly product: number; readonly variant: number }
  | {
      readonly kind: 'adjust';
      readonly product: number;
      readonly variant: number;
      readonly location: number;
      readonly quantity: number;
      readonly guess: number | null;
    }
  | { readonly kind: 'feed'; readonly lines: readonly RandomLine[] };

export interface RandomLine {
  readonly product: number;
  readonly variant: number;
  readonly location: number;
  readonly quantity: number;
  readonly reserved: number | null;
  readonly unknown: boolean;
}

const choice = fc.nat(1000);
const price = fc.integer({ min: 0, max: 9_999_999 }).map((tenThousandths) => tenThousandths / 10_000);
const quantity = fc.oneof(fc.nat(12), fc.nat(2_000_000));
const isActive = fc.boolean();

const line = fc.record<RandomLine>({
  product: choice,
  variant: choice,
  location: choice,
  quantity,
  reserved: fc.option(fc.nat(10)),
  unknown: fc.nat(9).map((n) => n === 0),
});

/** Weighted so that products get variants and stock, and lose them again. */
export const randomOperation: fc.Arbitrary<RandomOperation> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), price, isActive }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('patch' as const), product: choice, price, isActive }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), product: choice }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('select' as const),
      product: choice,
      colours: fc.nat(3),
      sizes: fc.nat(3),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('variant' as const),
      product: choice,
      combination: choice,
      price: fc.option(price),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('generate' as const),
      product: choice,
      activate: fc.boolean(),
      dryRun: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('patch-variant' as const),
      product: choice,
      variant: choice,
      price: fc.option(price),
      isActive,
      rename: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('delete-variant' as const), product: choice, variant: choice }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      product: choice,
      variant: choice,
      location: choice,
      quantity,
      guess: fc.option(fc.nat(12)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('feed' as const),
      lines: fc.array(line, { minLength: 1, maxLength: 12 }),
    }),
  },
);
