export type { Analytics } from './analytics/analytics.ts';
export type { Dataset, DatasetDay, RowsOptions, WindowQuery } from './analytics/dataset.ts';
export { Brandport, type BrandportOptions } from './brandport.ts';
export { money } from './catalog/money.ts';
export {
  type ChangeState,
  type Checkpoint,
  fileState,
  memoryState,
  type ProductCheckpoint,
  type StockCheckpoint,
} from './changes/change-state.ts';
export type { ChangeBatch, ChangesOptions } from './changes/changes.ts';
export {
  type AnyErrorCode,
  BrandportError,
  type ClientErrorCode,
  type ResumeFrom,
} from './errors/brandport-error.ts';
export {
  ConnectionFailed,
  DeadlineExceeded,
  DuplicateSku,
  type ErrorWithCode,
  isBrandportError,
  RateLimited,
  RejectedStale,
  type SkuOwner,
  StockVersionConflict,
  ValidationFailed,
} from './errors/error-classes.ts';
export { type CellType, cellValue } from './feeds/cell-value.ts';
export { type CsvOptions, csvLines, type FeedColumn } from './feeds/csv-lines.ts';
export { csvRecords, type TextSource } from './feeds/csv-records.ts';
export type { FeedInput, FeedLine, FeedSubmission } from './feeds/feed-input.ts';
export type { FeedSummary, WaitOptions } from './feeds/feed-progress.ts';
export type { FailedLine, FeedResult } from './feeds/feed-results.ts';
export type {
  FailureOptions,
  ResubmitOptions,
  SubmittedFeed,
  SubmittedPart,
} from './feeds/submitted-feed.ts';
export { parseInstant } from './generated/instant.ts';
export type { BodyName } from './generated/schemas.ts';
export type * from './generated/wire.ts';
export type { CursorMeta, CursorPageOptions } from './pages/cursor-pages.ts';
export type { Page, PageOptions, Pages } from './pages/pages.ts';
export type { Answer, Call, ResponseInfo } from './transport/call.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  EraseOptions,
  ReadOptions,
  WriteOptions,
} from './transport/client-options.ts';
export type {
  Hooks,
  PaceEvent,
  PageEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WarningEvent,
} from './transport/hooks.ts';
export { keyFrom } from './transport/key-from.ts';
export { type BodyProblem, bodyProblems } from './validation.ts';
export { version } from './version.ts';
