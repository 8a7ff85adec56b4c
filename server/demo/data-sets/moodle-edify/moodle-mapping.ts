import { type Day, dayOf } from '../../analytics/day.ts';
import {
  type DirectoryContent,
  type LearningData,
  type MappedEvent,
  spreadPart,
} from '../../analytics/learning-data.ts';
import { roundTripLearningData } from '../../analytics/round-trip-learning-data.ts';
import { DemoError } from '../../demo-error.ts';
import type { DataSet } from '../data-set.ts';
import {
  type LogEventRule,
  type LogRow,
  logEventRules,
  logFileNames,
  readLogs,
  staffEvents,
} from './moodle-log.ts';

/** server/demo/README.md describes the rules of this file and their reasons. */

const zoneHours = 4;

/** Maps the logs to a brand's data. `part`: the number of rows, those with an impossible day first. */
export function learningDataOfLogs(all: readonly LogRow[], part: number | null): LearningData {
  const rows = partOf(all, part);
  const leftOut: Record<string, number> = {};
  const events: MappedEvent[] = [];
  const contents = new Map<string, DirectoryContent>();
  for (const row of rows) {
    const mapped = mapRow(row);
    if (typeof mapped === 'string') {
      leftOut[mapped] = (leftOut[mapped] ?? 0) + 1;
      continue;
    }
    events.push(mapped);
    const listed = listedContent(row, mapped.event.content);
    // Logs are sorted newest first, and the newest title is used.
    if (listed !== null && !contents.has(listed.tu_id)) contents.set(listed.tu_id, listed);
  }
  return {
    markets: [],
    users: usersOf(all),
    contents: [...contents.values()],
    rows: rows.length,
    leftOut,
    events: () => events,
  };
}

function partOf(rows: readonly LogRow[], part: number | null): readonly LogRow[] {
  if (part === null) return rows;
  const impossible = rows.filter(({ time }) => readTime(time).day === null).slice(0, part);
  const others = rows.filter(({ time }) => readTime(time).day !== null);
  return [...impossible, ...spreadPart(others, part - impossible.length)];
}

/** All users whose ids occur in a row. */
function usersOf(rows: readonly LogRow[]): LearningData['users'] {
  const staff = new Map<string, boolean>();
  for (const { eventName, description } of rows) {
    const [actor, ...others] = [...description.matchAll(/user with id '(\d+)'/g)].map(
      ([, id]) => id as string,
    );
    for (const id of others) staff.set(id, staff.get(id) ?? false);
    if (actor !== undefined)
      staff.set(actor, staff.get(actor) === true || isStaffAction(eventName, description));
  }
  return [...staff].map(([id, isStaff]) => ({
    tu_id: userOf(id),
    ...(isStaff && { analytics_opt_out: true }),
  }));
}

/** The system also grades and enrols; it is not a user. */
const isStaffAction = (eventName: string, description: string) =>
  staffEvents.has(eventName) && !isOfSystem(description);

const isOfSystem = (description: string) => description.startsWith("The user with id '-1'");

const userOf = (id: string) => `user-${id}`;

/** The event of a row, or the reason why it has none. */
function mapRow(row: LogRow): MappedEvent | string {
  const { log, eventName, description } = row;
  if (isOfSystem(description)) return 'of the system';
  if (!/user with id '\d+'/.test(description)) return 'without a user id';
  const rule = logEventRules.get(eventName);
  if (rule === undefined) return 'administration or a repetition';
  const { day, local } = readTime(row.time);
  return {
    day,
    event: {
      event_id: `${log}-${row.row}`,
      occurred_at: local,
      kind: rule.kind,
      user: userOf(
        idIn(row, rule.learner === 'actor' ? /^The user with id '(\d+)'/ : /for the user with id '(\d+)'/),
      ),
      content: contentOf(row, rule),
    },
  };
}

/** Ids of activities are unique only within a log, so they include its name. */
function contentOf(row: LogRow, { about }: LogEventRule): { type: string; tu_id: string } {
  const { log } = row;
  switch (about) {
    case 'course':
      return { type: 'program', tu_id: log };
    case 'activity':
      return {
        type: isTask(row) ? 'quest' : 'episode',
        tu_id: `${log}-cm-${idIn(row, /course module(?: with)? id '(\d+)'|course module with the id '(\d+)'/)}`,
      };
    case 'meeting':
      return { type: 'live_session', tu_id: `${log}-meeting-${idIn(row, /activity with id '(\d+)'/)}` };
    case 'grade':
      return { type: 'quest', tu_id: `${log}-grade-${idIn(row, /grade item with id '(\d+)'/)}` };
  }
}

const isTask = ({ context }: LogRow) => /^(Assignment|Turnitin Assignment 2): /.test(context);

/** The directory's entry; none for kinds that have no content type, and for grades, whose title is not in the log. */
function listedContent(
  { context }: LogRow,
  { type, tu_id }: { type: string; tu_id: string },
): DirectoryContent | null {
  if (type === 'live_session' || tu_id.includes('-grade-')) return null;
  const [, name] = /^[^:]+: (.+)$/s.exec(context) ?? [];
  if (name === undefined) throw new DemoError(`A context is not understood: ${context}`);
  return { type: type as DirectoryContent['type'], tu_id, name };
}

/** The string that is sent repeats the log, with the zone. The day is computed from the numbers. */
function readTime(time: string): { local: string; day: Day | null } {
  const match = /^(\d{1,2})\/(\d\d)\/(\d\d), (\d\d):(\d\d)$/.exec(time);
  if (match === null) throw new DemoError(`A time is not understood: ${time}`);
  const [date, month, year, hour, minute] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const pad = (figure: number) => String(figure).padStart(2, '0');
  const local = `20${pad(year)}-${pad(month)}-${pad(date)}T${pad(hour)}:${pad(minute)}:00+04:00`;
  const exists = new Date(Date.UTC(2000 + year, month - 1, date)).getUTCDate() === date;
  const day = exists ? dayOf(Date.UTC(2000 + year, month - 1, date, hour - zoneHours, minute)) : null;
  return { local, day };
}

function idIn({ log, row, description }: LogRow, form: RegExp): string {
  const id = form.exec(description)?.[1];
  if (id === undefined) throw new DemoError(`${log}, row ${row + 1}: not understood: ${description}`);
  return id;
}

/** 64,422 rows from the Moodle logs of fourteen courses. */
export const moodleEdify: DataSet = {
  name: 'moodle-edify',
  files: logFileNames,
  async run(run) {
    await roundTripLearningData(run, learningDataOfLogs(await readLogs(run.dir), run.part));
  },
};
