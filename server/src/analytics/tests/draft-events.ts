import fc from 'fast-check';
import { addDays, type Day } from '../day.ts';
import { contentCount, type DraftEvent, learnerCount, marketCount } from './modelled-brand.ts';

let lastEvent = 0;

/** Generates events of the days from `first` on, each with a unique id. */
export function draftEvent(first: Day, days: number): fc.Arbitrary<DraftEvent> {
  const hundredths = fc.integer({ min: 0, max: 10_000 });
  return fc
    .record({
      offset: fc.integer({ min: 0, max: days - 1 }),
      kind: fc.constantFrom('view', 'view', 'completion', 'success', 'quiz'),
      user: fc.integer({ min: 0, max: learnerCount - 1 }),
      content: fc.integer({ min: 0, max: contentCount - 1 }),
      market: fc.option(fc.integer({ min: 0, max: marketCount - 1 })),
      progress: fc.option(hundredths),
      score: hundredths,
      questions: fc.integer({ min: 0, max: 7 }),
      answered: fc.integer({ min: 0, max: 7 }),
      seconds: fc.integer({ min: 0, max: 5_000 }),
      xp: fc.integer({ min: 0, max: 100 }),
    })
    .map(({ offset, ...drawn }) => {
      const isQuiz = drawn.kind === 'quiz';
      const questions = isQuiz ? drawn.questions : 0;
      lastEvent += 1;
      return {
        ...drawn,
        kind: drawn.kind as DraftEvent['kind'],
        eventId: `event-${lastEvent}`,
        day: addDays(first, offset),
        progress: drawn.kind === 'view' ? drawn.progress : null,
        score: isQuiz ? drawn.score : null,
        questions,
        answered: Math.min(drawn.answered, questions),
      };
    });
}
