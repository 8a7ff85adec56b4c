import { type TOptional, type TUnsafe, Type } from 'typebox';

/** The expression of the SQL by which a list sorts, for each name that `sort` takes. */
type SortColumns<Name extends string> = Readonly<Record<Name, string>>;

/** A name, or a name after `-`: descending. */
export type Sort<Name extends string> = Name | `-${Name}`;

/** The parameter `sort` of a list [internal-197]. */
export function sortQuery<Name extends string>(
  columns: SortColumns<Name>,
  byDefault: string,
): { sort: TOptional<TUnsafe<Sort<Name>>> } {
  const names = Object.keys(columns) as Name[];
  const values = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  const description = `The order of the rows; \`-\` means descending. Rows without the value come last. Default: ${byDefault}.`;
  return {
    sort: Type.Optional(Type.Unsafe({ type: 'string', enum: values, description, examples: [values[0]] })),
  };
}

/** Returns the `order by` of a list and the part of its statement's name. `unique`: what orders equal rows. */
export function orderOf<Name extends string>(
  columns: SortColumns<Name>,
  sort: Sort<Name> | undefined,
  unique: string,
): { readonly code: string; readonly orderBy: string } {
  if (sort === undefined) return { code: '', orderBy: unique };
  const isDescending = sort.startsWith('-');
  const name = (isDescending ? sort.slice(1) : sort) as Name;
  const direction = isDescending ? 'desc' : 'asc';
  return {
    code: `_by_${name}_${direction}`,
    orderBy: `${columns[name]} ${direction} nulls last, ${unique}`,
  };
}
