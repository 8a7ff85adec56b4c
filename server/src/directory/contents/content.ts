/** The content types that the directory lists; events may have further types. */
export const contentTypes = ['episode', 'program', 'quest'] as const;

export type ContentType = (typeof contentTypes)[number];

/** An upsert of a content; absent fields are left unchanged. */
export interface ContentItem {
  readonly type: ContentType;
  readonly tuId: string;
  readonly name?: string;
  /** Default for a new content: true. */
  readonly isLive?: boolean;
}
