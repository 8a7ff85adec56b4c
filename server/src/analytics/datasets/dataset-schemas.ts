import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import { ExactFilter, NamedObject, Nullable, ReservedObject } from '../../api/field-schemas.ts';
import type { Counts } from '../store/dataset-rows.ts';

/** Query parameters that data endpoints share [analytics-7]. */

function DayParameter(options: TSchemaOptions) {
  return Type.Optional(Type.String({ format: 'date', examples: ['2026-03-01'], ...options }));
}

export function windowQuery({ defaultDays, capDays }: { defaultDays: number; capDays: number }) {
  return {
    from: DayParameter({
      description: `First day, UTC, inclusive. Default: ${defaultDays} days before \`to\`. A window has at most ${capDays} days.`,
    }),
    to: DayParameter({
      description: 'Last day, UTC, inclusive. Default: yesterday. Days after yesterday are never returned.',
    }),
  };
}

export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      format: 'opaque',
      description:
        '`meta.next_cursor` of the previous page, unchanged, with the same window and filters. Valid for 24 hours. Omitted or empty on the first page.',
      examples: [''],
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      description:
        'Rows per page, counted before hidden rows are removed. Values above 500 are reduced to 500.',
      examples: [100],
    }),
  ),
};

export const typeFilter = Type.Optional(
  Type.String({
    enum: ['episode', 'program'],
    description: 'Only contents of this type.',
    examples: ['episode'],
  }),
);

export const contentFilter = ExactFilter({
  description: '`tu_id` of a content; requires `type`. 404 if the brand has no such content.',
  examples: ['ep-12'],
});

export const userFilter = ExactFilter({
  description: '`tu_id` of a learner. 404 if there is no such learner or the learner is hidden.',
  examples: ['u-4711'],
});

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

/** One page of a list with cursors, which the reference knows as `name`. */
export function keysetListOf<T extends TSchema>(item: T, name: string) {
  return NamedObject(name, {
    data: Type.Array(item, {
      description: 'May be short or empty although more pages follow: hidden rows are removed.',
    }),
    meta: Type.Object({
      per_page: Type.Integer({ minimum: 1 }),
      next_cursor: Nullable(Type.String(), { description: 'null on the last page.' }),
    }),
  });
}
