import { type TSchemaOptions, Type } from 'typebox';
import { ExactFilter } from '../../api/field-schemas.ts';

/** Query parameters that data endpoints share [analytics-7]. */

/** A day of the calendar. */
export function DayParameter(options: TSchemaOptions) {
  return Type.Optional(Type.String({ format: 'date', examples: ['2026-03-01'], ...options }));
}

export function windowQuery({ defaultDays, capDays }: { defaultDays: number; capDays: number }) {
  return {
    from: DayParameter({
      description: `First day, UTC, inclusive. Default: ${defaultDays} days before \`to\`. A window has at most ${capDays} days.`,
    }),
    to: DayParameter({
      description: 'Last day, UTC, inclusive. Default: yesterday. Nothing past yesterday is ever served.',
    }),
  };
}

export const cursorQuery = {
  cursor: Type.Optional(
    Type.String({
      format: 'opaque',
      description:
        '`meta.next_cursor` of the page before, unchanged, with the same window and filters. Good for 24 hours. Left out or empty on the first page.',
      examples: [''],
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 100,
      description:
        'Rows on a page, before rows are dropped that may not be shown. Above 500 it is taken as 500.',
      examples: [100],
    }),
  ),
};

export const typeFilter = Type.Optional(
  Type.String({
    enum: ['episode', 'program'],
    description: 'Contents of this type only.',
    examples: ['episode'],
  }),
);

export const contentFilter = ExactFilter({
  description: '`tu_id` of one content; needs `type`. 404 when the brand has none such.',
  examples: ['ep-12'],
});

export const userFilter = ExactFilter({
  description: '`tu_id` of one learner; 404 when there is none such to be shown.',
  examples: ['u-4711'],
});
