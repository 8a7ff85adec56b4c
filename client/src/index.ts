export { Brandport, type BrandportOptions } from './brandport.ts';
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
  RateLimited,
  type SkuOwner,
  StockVersionConflict,
  ValidationFailed,
} from './errors/error-classes.ts';
export { type ErrorWithCode, isBrandportError } from './errors/is-brandport-error.ts';
export type * from './generated/wire.ts';
export type { CursorMeta, CursorPageOptions } from './pages/cursor-pages.ts';
export type { Page, PageOptions, Pages } from './pages/pages.ts';
export type { Answer, Call, ResponseInfo } from './transport/call.ts';
export type { CallOptions, ClientOptions, ReadOptions, WriteOptions } from './transport/client-options.ts';
export type {
  Hooks,
  PageEvent,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  WarningEvent,
} from './transport/hooks.ts';
export { version } from './version.ts';
