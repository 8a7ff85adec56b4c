export interface RejectedEvent {
  /** 0-based index in the list, or line of the stream. */
  readonly index: number;
  readonly message: string;
}

export interface IntakeResult {
  readonly accepted: number;
  readonly duplicates: number;
  /** Events of learners who have opted out; never stored. */
  readonly excluded: number;
  /** At most `maxListed` of the rejections; the count includes all. */
  readonly rejected: readonly RejectedEvent[];
  readonly rejectedCount: number;
}
