import { type TSchema, Type } from 'typebox';
import { Nullable, ReservedObject } from '../../api/field-schemas.ts';
import type { Counts } from '../store/datasets.ts';

export const DayWire = Type.String({ format: 'date', description: 'UTC day.' });
export const Count = () => Type.Integer({ minimum: 0 });
export const Seconds = () => Type.Integer({ minimum: 0, description: 'Seconds.' });
export const Rate = () => Type.Number({ minimum: 0, maximum: 100, description: '0 to 100, 2 decimals.' });

export const CountsWire = { views: Count(), completions: Count(), successes: Count() };

export const countsToWire = ({ views, completions, successes }: Counts): Counts => ({
  views,
  completions,
  successes,
});

export const alwaysNull = () => ReservedObject('Always null in v1.');

export const UserWire = Type.Object({ tu_id: Type.String({ description: 'Pseudonymous public id.' }) });

export function contentReference<T extends Record<string, TSchema>>(properties: T) {
  return Nullable(Type.Object(properties), {
    description: 'null if the directory does not list the content, or no longer does.',
  });
}

export const ContentTypeWire = Type.String({
  description: 'Open list: currently `episode` and `program`. Pass unknown types through.',
});

export function keysetListOf<T extends TSchema>(item: T) {
  return Type.Object({
    data: Type.Array(item, {
      description: 'May be short or empty although more pages follow: hidden rows are removed.',
    }),
    meta: Type.Object({
      per_page: Type.Integer({ minimum: 1 }),
      next_cursor: Nullable(Type.String(), { description: 'null on the last page.' }),
    }),
  });
}
