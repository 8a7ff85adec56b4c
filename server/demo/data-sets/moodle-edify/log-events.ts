import type { LearningEvent } from '../../analytics/learning-data.ts';

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
