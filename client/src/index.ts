export type { Analytics } from './analytics/analytics.ts';
export type { Dataset, DatasetDay, RowsOptions, WindowQuery } from './analytics/dataset.ts';
export { Brandport, type BrandportOptions } from './brandport.ts';
export { money } from './catalog.ts';
export type { ChangeBatch, ChangesOptions } from './changes.ts';
export {
  type ChangeState,
  type Checkpoint,
  fileState,
  memoryState,
  type ProductCheckpoint,
  type StockCheckpoint,
} from './changes.ts';
export {
  type AnyErrorCode,
  BrandportError,
  type ClientErrorCode,
  ConnectionFailed,
  DeadlineExceeded,
  DuplicateSku,
  type ErrorWithCode,
  isBrandportError,
  RateLimited,
  RejectedStale,
  type ResumeFrom,
  type SkuOwner,
  StockVersionConflict,
  ValidationFailed,
} from './errors.ts';
export {
  type CellType,
  type CsvOptions,
  cellValue,
  csvLines,
  csvRecords,
  type FeedColumn,
  type TextSource,
} from './feeds/csv.ts';
export type { FeedInput, FeedSubmission } from './feeds/feed-input.ts';
export type { FeedLine } from './feeds/feed-line.ts';
export type {
  FailedLine,
  FailureOptions,
  FeedResult,
  FeedSummary,
  ResubmitOptions,
  SubmittedFeed,
  SubmittedPart,
  WaitOptions,
} from './feeds/submitted-feed.ts';
export { parseInstant } from './generated/instant.ts';
export type { BodyName } from './generated/schemas.ts';
export { libraryBounds } from './generated/schemas.ts';
export type * from './generated/wire.ts';
export type { CursorMeta, CursorPageOptions, Page, PageOptions, Pages } from './pages.ts';
export type { Answer, Call, ResponseInfo } from './transport/attempt.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  EraseOptions,
  Hooks,
  PaceEvent,
  PageEvent,
  ReadOptions,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WarningEvent,
  WriteOptions,
} from './transport/client-options.ts';
export { keyFrom } from './transport/client-options.ts';
export { type BodyProblem, bodyProblems } from './validation.ts';
export { version } from './version.ts';
