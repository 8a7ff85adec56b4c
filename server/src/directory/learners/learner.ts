/** What an upsert says of a learner; what is absent keeps what is stored. Nothing personal is ever accepted. */
export interface LearnerItem {
  readonly tuId: string;
  /** tu_id of a market of the brand; null clears it. */
  readonly market?: string | null;
  readonly analyticsOptOut?: boolean;
}
