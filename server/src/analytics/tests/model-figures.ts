import type { ModelEvent } from './model-records.ts';

// The figures of a set of events, in exact integers until the last division [analytics-33].

type Events = readonly ModelEvent[];

export const of = (events: Events, kind: ModelEvent['kind']) => events.filter((event) => event.kind === kind);
export const sum = (events: Events, figure: (event: ModelEvent) => number) =>
  events.reduce((total, event) => total + figure(event), 0);
export const xp = (events: Events) => sum(events, (event) => event.xp);
export const seconds = (events: Events) => sum(events, (event) => event.seconds);
export const distinct = (events: Events, figure: (event: ModelEvent) => number) =>
  new Set(events.map(figure)).size;
export const counts = (events: Events) => ({
  views: of(events, 'view').length,
  completions: of(events, 'completion').length,
  successes: of(events, 'success').length,
});

export function watch(events: Events): number {
  const known = of(events, 'view').filter(({ progress }) => progress !== null);
  return mean(
    sum(known, ({ progress }) => progress ?? 0),
    known.length,
  );
}

export function score(events: Events): number {
  const quizzes = of(events, 'quiz');
  return mean(
    sum(quizzes, (event) => event.score ?? 0),
    quizzes.length,
  );
}

/** Rounds half up at the third decimal of the exact quotient. */
function mean(hundredths: number, count: number): number {
  return count === 0 ? 0 : written(hundredths, 100 * count);
}

export function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(100, written(100 * part, whole));
}

function written(numerator: number, denominator: number): number {
  const thousandths = Math.floor((numerator * 1000) / denominator);
  const exact = Math.floor(thousandths / 10) + (thousandths % 10 >= 5 ? 1 : 0);
  return exact / 100;
}
