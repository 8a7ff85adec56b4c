import { type Static, Type } from 'typebox';
import { TrimmedText } from '../../api/field-schemas.ts';
import { VariantWire } from './variant-wire.ts';

export const GenerateVariantsBody = Type.Object({
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Return the variants that would be created, without creating them.',
    }),
  ),
  activate: Type.Optional(Type.Boolean({ default: false, description: '`is_active` of the new variants.' })),
  sku_template: Type.Optional(
    TrimmedText({
      max: 1000,
      description:
        '`{sku}` is the product’s SKU, `{<axis_code>}` the value of that axis. Default: `{sku}` followed by `-{<axis_code>}` for each axis, in the product’s order.',
      examples: ['{sku}-{color}-{size}'],
    }),
  ),
});

/** The flag that discriminates the two results, in generated types too [D46]. */
const isDryRun = <T extends boolean>(value: T) =>
  Type.Unsafe<T>({
    type: 'boolean',
    const: value,
    description: `Always ${value}: ${value ? 'nothing was written' : 'the variants were created'}.`,
  });

export const GenerationPlanWire = Type.Object({
  dry_run: isDryRun(true),
  total_combinations: Type.Integer({ description: 'All combinations of the selection.' }),
  would_create: Type.Integer(),
  skipped_existing: Type.Integer({ description: 'Combinations that already have a live variant.' }),
});

export const GenerationResultWire = Type.Object({
  dry_run: isDryRun(false),
  total_combinations: Type.Integer({ description: 'All combinations of the selection.' }),
  created: Type.Integer(),
  skipped_existing: Type.Integer({ description: 'Combinations that already had a live variant.' }),
  variants: Type.Array(VariantWire, { description: 'The created variants, in order.' }),
});

export function planToWire(total: number, missing: number): Static<typeof GenerationPlanWire> {
  return {
    dry_run: true,
    total_combinations: total,
    would_create: missing,
    skipped_existing: total - missing,
  };
}

export function generationToWire(
  total: number,
  variants: Static<typeof VariantWire>[],
): Static<typeof GenerationResultWire> {
  const created = variants.length;
  return { dry_run: false, total_combinations: total, created, skipped_existing: total - created, variants };
}
