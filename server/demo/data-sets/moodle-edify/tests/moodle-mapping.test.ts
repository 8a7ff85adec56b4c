import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DemoError } from '../../../demo-error.ts';
import { decode, type LogRow } from '../moodle-log.ts';
import { learningDataOfLogs } from '../moodle-mapping.ts';

const viewed: LogRow = {
  log: '1-F19',
  row: 0,
  time: '6/08/20, 21:00',
  context: 'Course: OOP',
  eventName: 'Course viewed',
  description: "The user with id '20' viewed the course with id '111'.",
};
const completed: LogRow = {
  log: '1-F20',
  row: 1,
  time: '26/01/20, 08:41',
  context: 'File: Arrays &amp; more…',
  eventName: 'Course activity completion updated',
  description:
    "The user with id '74' updated the completion state for the course module with id '117' for the user with id '21'.",
};

const mapped = (...rows: LogRow[]) => learningDataOfLogs(rows, null);
const eventsOf = (...rows: LogRow[]) => [...mapped(...rows).events()];

test('local time is four hours ahead, so the first four hours belong to the previous UTC day', () => {
  const times = ['1/03/20, 03:59', '1/03/20, 04:00', '1/01/18, 00:00', '31/12/17, 23:59'];
  assert.deepEqual(
    eventsOf(...times.map((time) => ({ ...viewed, time }))).map(({ day, event }) => [day, event.occurred_at]),
    [
      ['2020-02-29', '2020-03-01T03:59:00+04:00'],
      ['2020-03-01', '2020-03-01T04:00:00+04:00'],
      ['2017-12-31', '2018-01-01T00:00:00+04:00'],
      ['2017-12-31', '2017-12-31T23:59:00+04:00'],
    ],
  );
});

test('a day that does not exist is sent unchanged, and expected to be rejected', () => {
  const [impossible] = eventsOf({ ...viewed, time: '29/02/18, 19:00' });
  assert.equal(impossible?.day, null);
  assert.equal(impossible?.event.occurred_at, '2018-02-29T19:00:00+04:00');
});

test('in completions and gradings the second user is the learner', () => {
  const graded = {
    ...viewed,
    eventName: 'User graded',
    description:
      "The user with id '74' updated the grade with id '1' for the user with id '21' for the grade item with id '9'.",
  };
  assert.deepEqual(
    eventsOf(viewed, completed, graded).map(({ event }) => [
      event.kind,
      event.user,
      event.content.type,
      event.content.tu_id,
    ]),
    [
      ['view', 'user-20', 'program', '1-F19'],
      ['completion', 'user-21', 'episode', '1-F20-cm-117'],
      ['success', 'user-21', 'quest', '1-F19-grade-9'],
    ],
  );
});

test('the type depends on the context, and contents without a matching type are not listed', () => {
  const assignment = {
    ...viewed,
    context: 'Assignment: Draft',
    eventName: 'The status of the submission has been viewed.',
    description:
      "The user with id '20' has viewed the submission status page for the assignment with course module id '5'.",
  };
  const meeting = {
    ...viewed,
    context: 'BigBlueButtonBN: OOP',
    eventName: 'Meeting joined',
    description:
      "The user with id '20' has joined a bigbluebutton meeting for the bigbluebuttonbn activity with id '6' for the course id '502'.",
  };
  const data = mapped(assignment, meeting);
  assert.deepEqual(
    [...data.events()].map(({ event }) => event.content),
    [
      { type: 'quest', tu_id: '1-F19-cm-5' },
      { type: 'live_session', tu_id: '1-F19-meeting-6' },
    ],
  );
  assert.deepEqual(data.contents, [{ type: 'quest', tu_id: '1-F19-cm-5', name: 'Draft' }]);
});

test('titles are kept unchanged, and the newest one of an activity is used', () => {
  const renamed = { ...completed, row: 2, context: 'File: Old title' };
  const lines = { ...completed, log: '2-F17', context: 'Label: \u00a0LAB \r\n' };
  assert.deepEqual(
    mapped(completed, renamed, lines).contents.map(({ name }) => name),
    ['Arrays &amp; more…', '\u00a0LAB \r\n'],
  );
});

test('rows without a learner or a meaning are skipped, each for one reason', () => {
  const data = mapped(
    viewed,
    {
      ...viewed,
      description: 'User viewed their submission inbox at course: 113',
      eventName: 'List Submissions',
    },
    { ...viewed, description: '', eventName: 'mod_hvp: attempt submitted' },
    {
      ...viewed,
      eventName: 'User graded',
      description:
        "The user with id '-1' updated the grade with id '1' for the user with id '21' for the grade item with id '9'.",
    },
    { ...viewed, eventName: 'Log report viewed' },
  );
  assert.deepEqual(data.leftOut, {
    'without a user id': 2,
    'of the system': 1,
    'administration or a repetition': 1,
  });
  assert.equal([...data.events()].length, 1);
});

test('rows that are equal are different events, with an id of their file and row', () => {
  const ids = eventsOf(viewed, { ...viewed, row: 1 }, { ...viewed, log: '1-F20' }).map(
    ({ event }) => event.event_id,
  );
  assert.deepEqual(ids, ['1-F19-0', '1-F19-1', '1-F20-0']);
});

test('a user who may change a course is staff, and opted out; the system is nobody', () => {
  const updated = { ...viewed, eventName: 'Course module updated' };
  const { users } = mapped(
    viewed,
    completed,
    {
      ...updated,
      description: "The user with id '74' updated the 'resource' activity with course module id '7'.",
    },
    {
      ...updated,
      description: "The user with id '-1' updated the 'resource' activity with course module id '7'.",
    },
  );
  assert.deepEqual(users, [
    { tu_id: 'user-20' },
    { tu_id: 'user-21' },
    { tu_id: 'user-74', analytics_opt_out: true },
  ]);
});

test('a part includes the rows with an impossible day, and others from the whole file', () => {
  const rows = Array.from({ length: 100 }, (_, row) => ({ ...viewed, row }));
  const impossible = { ...viewed, row: 100, time: '29/02/18, 19:00' };
  const ids = [...learningDataOfLogs([...rows, impossible], 5).events()].map(({ event }) => event.event_id);
  assert.deepEqual(ids, ['1-F19-100', '1-F19-0', '1-F19-25', '1-F19-50', '1-F19-75']);
});

test('a row with an unknown description ends the run', () => {
  const wrong = { ...completed, description: "The user with id '74' did something." };
  assert.throws(() => eventsOf(wrong), DemoError);
  assert.throws(() => eventsOf({ ...viewed, time: 'yesterday' }), DemoError);
});

test('files in Windows-1252 and in UTF-8 are both read', () => {
  assert.equal(decode(Uint8Array.from([0x57, 0x85, 0xa0])), 'W…\u00a0');
  assert.equal(decode(Buffer.from('W…\u00a0', 'utf8')), 'W…\u00a0');
});
