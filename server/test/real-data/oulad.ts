import { cellOf, findDataSet } from './data-set.ts';

/** A UTC day, YYYY-MM-DD. */
export type Day = string;

export interface LearningEvent {
  readonly event_id: string;
  readonly occurred_at: string;
  readonly kind: 'view' | 'completion' | 'success' | 'quiz';
  readonly user: string;
  readonly content: { readonly type: string; readonly tu_id: string };
  readonly market?: string;
  readonly score?: number;
  readonly xp_earned?: number;
}

/** An event with its day, which is computed without the timestamp that is sent. */
export interface DatedEvent {
  readonly day: Day;
  readonly event: LearningEvent;
}

/** The Open University's log, as it is sent to a brand. */
export interface LearningLog {
  readonly markets: readonly { readonly tu_id: string; readonly name: string }[];
  readonly users: readonly { readonly tu_id: string; readonly market: string }[];
  readonly contents: readonly {
    readonly type: string;
    readonly tu_id: string;
    readonly name?: string;
    readonly is_live: boolean;
  }[];
  readonly events: readonly DatedEvent[];
}

const passMark = 40;
const livePresentation = '2014J';

interface Course {
  readonly module: string;
  readonly presentation: string;
}

/**
 * Maps the files: a presentation is a market, a module in it a program, an assessment marked by a tutor a quest, any
 * other assessment and each site an episode; exams and homepages are of the program. At most `maxResults` results.
 */
export async function readOulad(maxResults: number): Promise<LearningLog> {
  const files = findDataSet('oulad');
  const rows = async <T>(file: string, read: (cell: (column: string) => string, row: number) => T) =>
    (await files.rows(file)).map((row, index) => read((column) => cellOf(row, column), index));
  const courseIn = (cell: (column: string) => string): Course => ({
    module: cell('code_module'),
    presentation: cell('code_presentation'),
  });

  const courses = await rows('courses.csv', courseIn);
  const assessments = await rows('assessments.csv', (cell) => {
    const [course, id, type] = [courseIn(cell), cell('id_assessment'), cell('assessment_type')];
    const own = { type: type === 'TMA' ? 'quest' : 'episode', tu_id: `assessment-${id}` };
    return { id, ...course, content: type === 'Exam' ? programOf(course) : own };
  });
  const sites = await rows('vle.csv.gz', (cell) => {
    const [course, id] = [courseIn(cell), cell('id_site')];
    const own = { type: 'episode', tu_id: `site-${id}` };
    return { id, ...course, content: cell('activity_type') === 'homepage' ? programOf(course) : own };
  });
  const siteById = new Map(sites.map((site) => [site.id, site]));
  const assessmentById = new Map(assessments.map((assessment) => [assessment.id, assessment]));

  const first = new Map<string, string>();
  await rows('studentRegistration.csv.gz', (cell) => {
    const [student, presentation] = [cell('id_student'), cell('code_presentation')];
    if (presentation < (first.get(student) ?? '9999')) first.set(student, presentation);
  });

  // At the first instant of the day, and without a market: that of the learner holds.
  const clicks = await rows('studentVle.csv.gz', (cell, row): DatedEvent => {
    const day = dayOfCourse(cell('code_presentation'), Number(cell('date')));
    const { content } = known(siteById, cell('id_site'));
    const [user, xp] = [userOf(cell('id_student')), Number(cell('sum_click'))];
    const occurred_at = `${day}T00:00:00Z`;
    return {
      day,
      event: { event_id: `click-${row}`, occurred_at, kind: 'view', user, content, xp_earned: xp },
    };
  });
  // At the last instant of the day. A banked result was earned in another course, and `?` is no score.
  const results = await rows('studentAssessment.csv.gz', (cell, row): DatedEvent[] => {
    const { content, presentation } = known(assessmentById, cell('id_assessment'));
    const day = dayOfCourse(presentation, Number(cell('date_submitted')));
    const user = userOf(cell('id_student'));
    const event = (kind: LearningEvent['kind'], more: object = {}): DatedEvent => {
      const [event_id, occurred_at] = [`result-${row}-${kind}`, `${day}T23:59:59.999Z`];
      return { day, event: { event_id, occurred_at, kind, user, content, market: presentation, ...more } };
    };
    if (cell('is_banked') === '1' || cell('score') === '?') return [event('completion')];
    const score = Number(cell('score'));
    const passed = score >= passMark ? [event('success')] : [];
    return [event('completion'), event('quiz', { score }), ...passed];
  });

  const presentations = [...new Set(courses.map(({ presentation }) => presentation))].sort();
  const listed = [
    ...courses.map((course) => ({
      ...course,
      content: programOf(course),
      name: `${course.module} ${course.presentation}`,
    })),
    ...assessments.map((one) => ({ ...one, name: `${one.module} ${one.presentation} ${one.id}` })),
    ...sites,
  ];
  return {
    markets: presentations.map((tu_id) => ({ tu_id, name: `Presentation ${tu_id}` })),
    users: [...first].map(([student, market]) => ({ tu_id: userOf(student), market })),
    // A course comes first, before the exams and homepages that are of it.
    contents: [...Map.groupBy(listed, ({ content }) => content.tu_id).values()].map((same) => {
      const { content, presentation, ...more } = same[0] as (typeof listed)[number] & { name?: string };
      const isLive = presentation === livePresentation;
      return { ...content, ...(more.name !== undefined && { name: more.name }), is_live: isLive };
    }),
    events: [...clicks, ...spread(results, maxResults).flat()],
  };
}

const userOf = (student: string) => `student-${student}`;
const programOf = ({ module, presentation }: Course) => ({
  type: 'program',
  tu_id: `${module}-${presentation}`,
});

/** The files count days of a course and name no date: B starts in February, J in October, here on the first. */
function dayOfCourse(presentation: string, day: number): Day {
  const [, year, letter] = /^(20\d\d)([BJ])$/.exec(presentation) ?? [];
  if (year === undefined || !Number.isInteger(day)) throw new Error(`not understood: ${presentation} ${day}`);
  return addDays(`${year}-${letter === 'B' ? '02' : '10'}-01`, day);
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** At most `count` rows, in equal steps from the whole file. */
function spread<T>(rows: readonly T[], count: number): readonly T[] {
  if (count >= rows.length) return rows;
  return Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)] as T);
}

function known<T>(things: ReadonlyMap<string, T>, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw new Error(`${id} is in no other file`);
  return thing;
}
