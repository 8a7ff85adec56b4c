import { addDays, type Day } from '../../analytics/day.ts';
import {
  type LearningData,
  type LearningEvent,
  type MappedEvent,
  spreadPart,
} from '../../analytics/learning-data.ts';
import { roundTripLearningData } from '../../analytics/round-trip-learning-data.ts';
import { DemoError } from '../../demo-error.ts';
import type { DataSet } from '../data-set.ts';
import {
  type Assessment,
  type Clicks,
  type OuladFiles,
  ouladFileNames,
  type Result,
  readOuladFiles,
  type Site,
} from './oulad-files.ts';

/** server/demo/README.md describes the rules of this file and their reasons. */

const passMark = 40;
const livePresentation = '2014J';

/** Maps the files to a brand's data. `part`: the number of clicks and results, together. */
export function learningDataOfOulad(files: OuladFiles, part: number | null): LearningData {
  const assessments = new Map(files.assessments.map((assessment) => [assessment.id, assessment]));
  const sites = new Map(files.sites.map((site) => [site.id, site]));
  const clicks = spreadPart(files.clicks, part === null ? null : Math.ceil(part / 4));
  const results = spreadPart(files.results, part === null ? null : part - clicks.length);
  const presentations = [...new Set(files.courses.map(({ presentation }) => presentation))].sort();
  return {
    markets: presentations.map((presentation) => ({
      tu_id: presentation,
      name: `Presentation ${presentation}`,
    })),
    users: usersOf(files),
    contents: [
      ...files.courses.map(({ module, presentation }) => ({
        ...courseContent({ module, presentation }),
        name: `${module} ${presentation}`,
        is_live: presentation === livePresentation,
      })),
      ...files.assessments
        .filter(({ type }) => type !== 'Exam')
        .map((assessment) => ({
          ...contentOfAssessment(assessment),
          name: `${assessment.module} ${assessment.presentation} ${assessment.type} ${assessment.id}`,
          is_live: assessment.presentation === livePresentation,
        })),
      ...files.sites
        .filter(({ activity }) => activity !== 'homepage')
        .map((site) => ({ ...contentOfSite(site), is_live: site.presentation === livePresentation })),
    ],
    rows: clicks.length + results.length,
    leftOut: {},
    *events() {
      for (const row of clicks) yield viewOf(row, known(sites, row.site));
      for (const row of results) yield* eventsOfResult(row, known(assessments, row.assessment));
    },
  };
}

/** Every registered student, with the market of their first registration. */
function usersOf({ registrations }: OuladFiles): LearningData['users'] {
  const first = new Map<string, string>();
  for (const { student, presentation } of registrations) {
    const before = first.get(student);
    if (before === undefined || presentation < before) first.set(student, presentation);
  }
  return [...first].map(([student, market]) => ({ tu_id: userOf(student), market }));
}

/** At the first instant of the day, without a market, so that the learner's own applies. */
function viewOf(row: Clicks, site: Site): MappedEvent {
  const day = addDays(startOf(row.presentation), row.dayOfCourse);
  return {
    day,
    event: {
      event_id: `click-${row.row}`,
      occurred_at: `${day}T00:00:00Z`,
      kind: 'view',
      user: userOf(row.student),
      content: contentOfSite(site),
      xp_earned: row.clicks,
    },
  };
}

/**
 * At the last instant of the day. A banked result was earned elsewhere: it is a completion, but its score does not
 * count here.
 */
function* eventsOfResult(row: Result, assessment: Assessment): Generator<MappedEvent> {
  const day = addDays(startOf(assessment.presentation), row.dayOfCourse);
  const event = (kind: LearningEvent['kind'], score?: number): MappedEvent => ({
    day,
    event: {
      event_id: `result-${row.row}-${kind}`,
      occurred_at: `${day}T23:59:59.999Z`,
      kind,
      user: userOf(row.student),
      content: contentOfAssessment(assessment),
      market: assessment.presentation,
      ...(score !== undefined && { score }),
    },
  });
  yield event('completion');
  if (row.isBanked || row.score === null) return;
  yield event('quiz', row.score);
  if (row.score >= passMark) yield event('success');
}

const userOf = (student: string) => `student-${student}`;

type Course = Pick<Assessment, 'module' | 'presentation'>;
const courseContent = ({ module, presentation }: Course) =>
  ({ type: 'program', tu_id: `${module}-${presentation}` }) as const;

/** An exam belongs to the course itself. */
function contentOfAssessment(assessment: Assessment) {
  if (assessment.type === 'Exam') return courseContent(assessment);
  const type = assessment.type === 'TMA' ? 'quest' : 'episode';
  return { type, tu_id: `assessment-${assessment.id}` } as const;
}

/** The homepage belongs to the course itself. */
function contentOfSite(site: Site) {
  if (site.activity === 'homepage') return courseContent(site);
  return { type: 'episode', tu_id: `site-${site.id}` } as const;
}

/** The files give no dates: presentations B start in February and J in October, here on the first of the month. */
export function startOf(presentation: string): Day {
  const [, year, letter] = /^(20\d\d)([BJ])$/.exec(presentation) ?? [];
  if (year === undefined) throw new DemoError(`A presentation is not understood: ${presentation}`);
  return `${year}-${letter === 'B' ? '02' : '10'}-01`;
}

function known<T>(things: ReadonlyMap<string, T>, id: string): T {
  const thing = things.get(id);
  if (thing === undefined) throw new DemoError(`A row names ${id}, which is in no other file.`);
  return thing;
}

/** 13,905 rows of clicks and 173,912 assessment results of the Open University. */
export const oulad: DataSet = {
  name: 'oulad',
  files: ouladFileNames,
  async run(run) {
    await roundTripLearningData(run, learningDataOfOulad(await readOuladFiles(run.dir), run.part));
  },
};
