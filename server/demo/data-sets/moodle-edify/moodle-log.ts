import { join } from 'node:path';
import type { LearningEvent } from '../../analytics/learning-data.ts';
import { readBytes, rowsOfCsv } from '../../data-files.ts';
import { DemoError } from '../../demo-error.ts';

/** One row of a log, with unchanged strings. */
export interface LogRow {
  /** The module and term in the file's name, such as `1-F19`. */
  readonly log: string;
  /** 0-based row number in the file. */
  readonly row: number;
  /** `d/mm/yy, HH:MM`, local time. */
  readonly time: string;
  /** `File: Lecture 5`: the kind of an activity and its title. */
  readonly context: string;
  readonly eventName: string;
  readonly description: string;
}

const terms = {
  1: ['F19', 'F20', 'SP18', 'SP19', 'SP20', 'SP21'],
  2: ['F17', 'SP18'],
  3: ['F17', 'SP17', 'SP18'],
  5: ['F17', 'SP17', 'SP18'],
};

const logs = Object.entries(terms).flatMap(([module, ofModule]) =>
  ofModule.map((term) => ({ log: `${module}-${term}`, file: `Moodle_Module_${module}_${term}.csv.gz` })),
);

export const logFileNames: readonly string[] = logs.map(({ file }) => file);

/** The rows of all logs, file by file. */
export async function readLogs(dir: string): Promise<LogRow[]> {
  const rows: LogRow[] = [];
  for (const { log, file } of logs) {
    const cells = rowsOfCsv(decode(await readBytes(join(dir, file))));
    for (const [row, of] of cells.entries())
      rows.push({
        log,
        row,
        time: required(of['Time'], file, row),
        context: required(of['Event context'], file, row),
        eventName: required(of['Event name'], file, row),
        description: of['Description'] ?? '',
      });
  }
  return rows;
}

/** Two of the files are in Windows-1252 instead of UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function required(text: string | undefined, file: string, row: number): string {
  if (text === undefined || text === '') throw new DemoError(`${file}, row ${row + 1}: a cell is missing`);
  return text;
}

/** The meaning of the name of a log event. */
export interface LogEventRule {
  readonly kind: LearningEvent['kind'];
  /** The learner: the acting user, or the row's second user. */
  readonly learner: 'actor' | 'second';
  /** The subject: the course, an activity, an online meeting, or an entry of the grade book. */
  readonly about: 'course' | 'activity' | 'meeting' | 'grade';
}

const view = { kind: 'view', learner: 'actor' } as const;

/** Every other event name is administrative, or repeats one of these. */
export const logEventRules: ReadonlyMap<string, LogEventRule> = new Map<string, LogEventRule>([
  ['Course viewed', { ...view, about: 'course' }],
  ['User list viewed', { ...view, about: 'course' }],
  ['Course module viewed', { ...view, about: 'activity' }],
  ['Wiki page viewed', { ...view, about: 'activity' }],
  ['The status of the submission has been viewed.', { ...view, about: 'activity' }],
  ['Submission form viewed.', { ...view, about: 'activity' }],
  ['Submission confirmation form viewed.', { ...view, about: 'activity' }],
  ['Remove submission confirmation viewed.', { ...view, about: 'activity' }],
  ['Activity viewed', { ...view, about: 'meeting' }],
  ['Meeting joined', { kind: 'completion', learner: 'actor', about: 'meeting' }],
  ['Course activity completion updated', { kind: 'completion', learner: 'second', about: 'activity' }],
  ['A submission has been submitted.', { kind: 'completion', learner: 'actor', about: 'activity' }],
  ['The submission has been graded.', { kind: 'success', learner: 'second', about: 'activity' }],
  ['User graded', { kind: 'success', learner: 'second', about: 'grade' }],
]);

/** A user with any of these events may change the course or see submissions, and is no learner. */
export const staffEvents: ReadonlySet<string> = new Set([
  'Course module created',
  'Course module updated',
  'Course section updated',
  'Grading table viewed',
  'Role assigned',
  'User enrolled in course',
]);
