import { Type } from 'typebox';
import { invalidField } from '../../errors/api-error.ts';
import { type DatasetName, datasetNames } from '../store/datasets.ts';
import type { SinceRevisions } from '../store/revisions-store.ts';

/** The most days that are listed for a dataset [analytics-46]. */
export const changedDaysLimit = 1_000;

export const ChangesSince = Type.Optional(
  Type.String({
    description: `Datasets, and for each the \`revision\` up to which you have pulled it: returns \`changed\`, the days that have changed since, at most ${changedDaysLimit}.`,
    examples: ['users:57,daily:41'],
  }),
);

const entry = /^([a-z_]+):(\d{1,15})$/;

/** @throws ApiError `validation_failed` [analytics-46] */
export function parseChangesSince(text: string | undefined): SinceRevisions {
  if (text === undefined) return {};
  const since: Partial<Record<DatasetName, number>> = {};
  for (const part of text.split(',')) {
    const [, name = '', revision] = entry.exec(part) ?? [];
    if (revision === undefined)
      throw invalidField(
        'changes_since',
        'must be a list of `<dataset>:<revision>`, such as `users:57,daily:41`',
      );
    const dataset = datasetNames.find((known) => known === name);
    if (dataset === undefined)
      throw invalidField(
        'changes_since',
        `must name datasets: ${datasetNames.map((known) => `\`${known}\``).join(', ')}`,
      );
    if (since[dataset] !== undefined) throw invalidField('changes_since', 'must not name a dataset twice');
    since[dataset] = Number(revision);
  }
  return since;
}
