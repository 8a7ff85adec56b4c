import { type DayState, shapeOfDay, toneOfDay } from './day-state.ts';
import { messages } from './messages.ts';

/** The shapes of the calendar in words. */
export function Legend() {
  return (
    <ul className="legend-list">
      {(Object.keys(shapeOfDay) as DayState[]).map((state) => (
        <li key={state} className="state" data-tone={toneOfDay[state]}>
          <span aria-hidden="true">{shapeOfDay[state]}</span> {messages.states[state]}
        </li>
      ))}
    </ul>
  );
}
