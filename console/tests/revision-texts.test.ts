import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { causeText } from '../src/pages/datasets/revision-texts.ts';

const of = (cause: string | null, events: number | null, rows = 3) => ({ cause, events, rows });

// [internal-213]
describe('the reason of a change of a day', () => {
  it('names the events that came late', () => {
    assert.equal(
      causeText(of('late_events', 1_038), of('nightly', 500)),
      '538 events came late. Aggregated again by the nightly run',
    );
    assert.equal(
      causeText(of('request', 501), of('nightly', 500)),
      '1 event came late. Aggregated on request',
    );
  });

  it('says that nothing new was counted, and what else changed', () => {
    assert.equal(causeText(of('request', 5), of('nightly', 5)), 'Aggregated on request: the same events');
    assert.match(causeText(of('late_events', 5), of('nightly', 5)), /^An earlier day got late events/);
    assert.equal(
      causeText(of('opt_out', 5, 2), of('nightly', 5)),
      'Learners opted out, opted in or were erased',
    );
  });

  it('is that of the first revision alone, and unknown of earlier versions', () => {
    assert.equal(causeText(of('nightly', 5), undefined), 'Aggregated by the nightly run');
    assert.equal(causeText(of(null, 5), undefined), 'Not recorded: by an earlier version');
    assert.equal(causeText(of('later_cause', null), of('nightly', 1)), 'later_cause');
  });
});
