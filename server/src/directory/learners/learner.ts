/** An upsert of a learner; absent fields are left unchanged. Personal data is never accepted. */
export interface LearnerItem {
  readonly tuId: string;
  /** tu_id of a market of the brand; null clears it. */
  readonly market?: string | null;
  readonly analyticsOptOut?: boolean;
}
