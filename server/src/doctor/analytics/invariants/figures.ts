/**
 * The values of one dataset as the doctor computes them: each stored column with its expression over raw events `e`. Written from
 * the definitions [analytics-33] [analytics-35] [analytics-36], independently of the aggregation's own statements.
 */
export type Figures = Readonly<Record<string, string>>;

const of = (kind: string) => `e.kind = '${kind}'`;
const countOf = (condition: string) => `count(*) filter (where ${condition})`;
const sumOf = (column: string, condition: string) =>
  `coalesce(sum(e.${column}) filter (where ${condition}), 0)`;

const kinds = { views: 'view', completions: 'completion', successes: 'success' } as const;

const counts: Figures = Object.fromEntries(
  Object.entries(kinds).map(([column, kind]) => [column, countOf(of(kind))]),
);
const efforts: Figures = {
  xp_earned: 'coalesce(sum(e.xp_earned), 0)',
  time_spent_seconds: 'coalesce(sum(e.time_spent_seconds), 0)',
};
const score: Figures = {
  score_sum: sumOf('score', of('quiz')),
  score_count: `count(e.score) filter (where ${of('quiz')})`,
};
const progress: Figures = {
  progress_sum: sumOf('progress', of('view')),
  progress_count: `count(e.progress) filter (where ${of('view')})`,
};
const questions: Figures = { questions: 'coalesce(sum(e.questions), 0)' };

const countsOfType = (type: string): Figures =>
  Object.fromEntries(
    Object.entries(kinds).map(([column, kind]) => [
      `${type}_${column}`,
      countOf(`e.content_type = '${type}' and ${of(kind)}`),
    ]),
  );

const figuresOfType = (type: string): Figures => {
  const isType = `e.content_type = '${type}'`;
  return {
    ...countsOfType(type),
    [`${type}_time_spent_seconds`]: sumOf('time_spent_seconds', isType),
    [`${type}_progress_sum`]: sumOf('progress', `${isType} and ${of('view')}`),
    [`${type}_progress_count`]: `count(e.progress) filter (where ${isType} and ${of('view')})`,
    [`${type}_score_sum`]: sumOf('score', `${isType} and ${of('quiz')}`),
    [`${type}_score_count`]: `count(e.score) filter (where ${isType} and ${of('quiz')})`,
  };
};

const types = ['episode', 'program', 'quest'];
const ofEachType = (figures: (type: string) => Figures): Figures =>
  Object.assign({}, ...types.map((type) => figures(type)));

export const dailyFigures: Figures = {
  active_users: 'count(distinct e.user_id)',
  ...counts,
  ...efforts,
  ...ofEachType(figuresOfType),
};
export const contentFigures: Figures = {
  unique_views: `count(distinct e.user_id) filter (where ${of('view')})`,
  active_users: 'count(distinct e.user_id)',
  ...counts,
  ...efforts,
  ...questions,
  ...progress,
  ...score,
};
export const learnerFigures: Figures = { ...counts, ...efforts, ...score, ...ofEachType(countsOfType) };
export const engagementFigures: Figures = {
  ...counts,
  ...efforts,
  ...questions,
  answered: 'coalesce(sum(e.answered), 0)',
  ...score,
};

/** The columns for which each dataset also has running totals, `cumulative_<column>`. */
export const runningTotals = {
  daily: ['views', 'completions', 'successes', 'xp_earned'],
  contents: ['views', 'completions', 'successes', ...Object.keys(progress), ...Object.keys(score)],
  users: [...Object.keys(counts), ...Object.keys(ofEachType(countsOfType))],
  content_engagement: ['views', 'xp_earned', 'time_spent_seconds', ...Object.keys(score)],
} as const satisfies Record<string, readonly string[]>;

export function selectFigures(figures: Figures): string {
  return Object.entries(figures)
    .map(([column, expression]) => `${expression} as ${column}`)
    .join(', ');
}

/** The events that aggregations of closed days must have counted; `e` is the event and `d` its day. */
export const countedEvents = `from analytics.learning_events e
  join doctor_days d on d.day = e.day and not d.is_open
  where e.brand_id = $1 and (
    not exists (select from doctor_unsettled x where x.user_id = e.user_id)
    or exists (select from analytics.users u where u.brand_id = $1 and u.user_id = e.user_id and u.day = e.day)
  )`;
