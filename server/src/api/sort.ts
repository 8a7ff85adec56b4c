import { type TOptional, type TUnsafe, Type } from 'typebox';

/**
 * The SQL by which a list sorts, for each name that `sort` takes: an expression, or columns without null that distinguish all
 * rows. PostgreSQL reads an index of such columns in both directions, which `nulls last` would prevent.
 */
type SortColumns<Name extends string> = Readonly<Record<Name, string | readonly string[]>>;

/** A name, or a name after `-`: descending. */
export type Sort<Name extends string> = Name | `-${Name}`;

/** The parameter `sort` of a list [internal-197]. `note`: a further sentence of its description. */
export function sortQuery<Name extends string>(
  columns: SortColumns<Name>,
  byDefault: string,
  note = '',
): { sort: TOptional<TUnsafe<Sort<Name>>> } {
  const names = Object.keys(columns) as Name[];
  const values = names.flatMap((name): Sort<Name>[] => [name, `-${name}`]);
  const description = `The order of the rows; \`-\` means descending. Rows without the value come last. Default: ${byDefault}.${note}`;
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
  const sql = columns[name];
  return {
    code: `_by_${name}_${direction}`,
    orderBy:
      typeof sql === 'string'
        ? `${sql} ${direction} nulls last, ${unique}`
        : sql.map((column) => `${column} ${direction}`).join(', '),
  };
}
