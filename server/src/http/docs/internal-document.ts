import {
  AdministratorWire,
  CreateAdministratorBody,
  IssuedAdministratorWire,
} from '../../access/administrators/administrator-operations.ts';
import {
  ApiKeyDetailWire,
  ApiKeyWire,
  CreateApiKeyBody,
  IssuedApiKeyWire,
  RotateApiKeyBody,
  UpdateApiKeyBody,
} from '../../access/api-keys/api-key-wire.ts';
import {
  CreateFeedTokenBody,
  FeedTokenWire,
  IssuedFeedTokenWire,
} from '../../access/feed-tokens/feed-token-operations.ts';
import { KeyUsesWire } from '../../access/idempotency/idempotency-operations.ts';
import { KeyUsageWire } from '../../access/key-usage/key-usage-operations.ts';
import {
  LimitBrandBody,
  LimitKeyBody,
  LimitListWire,
  OwnLimitListWire,
} from '../../access/rate-limits/rate-limit-wire.ts';
import { RefusalWire } from '../../access/refusals/refusal-operations.ts';
import { UnverifiedRefusalWire } from '../../access/refusals/unverified-refusal-operations.ts';
import {
  ConsoleSessionWire,
  CreateConsoleSessionBody,
  SessionWire,
  SignInMethodsWire,
} from '../../access/sessions/session-operations.ts';
import { DatasetLagWire } from '../../analytics/aggregation/aggregation-operations.ts';
import {
  AggregateDaysBody,
  AggregatedDayWire,
  AggregationJobWire,
  AggregationWire,
  DatasetDayWire,
} from '../../analytics/aggregation/aggregation-wire.ts';
import { DatasetDayDetailWire } from '../../analytics/aggregation/dataset-day.ts';
import {
  EventsTakenWire,
  LearningEventWire,
  PostLearningEventsBody,
} from '../../analytics/events/event-operations.ts';
import { listOf, PageMetaWire } from '../../api/pagination.ts';
import { AuditEntryWire } from '../../audit/audit-wire.ts';
import {
  BrandDetailWire,
  BrandSummaryWire,
  ListedBrandWire,
} from '../../brand-summaries/brand-summary-wire.ts';
import { BrandWire, CreateBrandBody, UpdateBrandBody } from '../../brands/brand-wire.ts';
import { FeedLinePageWire, FeedLineWire } from '../../catalog/feeds/feed-line-operations.ts';
import { FeedSummaryWire } from '../../catalog/feeds/feed-wire.ts';
import { CorrectFeedBody, RequeueFeedBody } from '../../catalog/feeds/requeue-operations.ts';
import { SkuListWire } from '../../catalog/skus/list-skus.ts';
import { StockExplanationWire } from '../../catalog/stock/explain-stock.ts';
import { StockHealthWire } from '../../catalog/stock/get-stock-health.ts';
import {
  ContentWire,
  ErasureReceiptWire,
  LearnerDetailWire,
  LearnerWire,
  MarketWire,
  PointOfSaleWire,
  PutContentsBody,
  PutLearnersBody,
  PutMarketsBody,
  PutPointsOfSaleBody,
  UpsertedWire,
} from '../../directory/directory-wire.ts';
import { DoctorRunWire } from '../../doctor/doctor-run-operations.ts';
import { JobDetailWire, JobWire, RetriedJobsWire, RetryJobsBody } from '../../jobs/job-wire.ts';
import { ActivityHourWire, ActivityWire } from '../../overview/activity-store.ts';
import { MuteConcernBody } from '../../overview/concern-operations.ts';
import { OverviewWire } from '../../overview/overview-wire.ts';
import { RequestWire } from '../../search/get-request.ts';
import { FindingListWire } from '../../search/search.ts';
import { ClientResponseWire, internalGroups } from '../operations.ts';
import { type DocumentInfo, type OpenApiDocument, openApiDocument } from './openapi-document.ts';
import type { NamedSchemas } from './published-schema.ts';

const internalSchemas: NamedSchemas = {
  ActivityHour: ActivityHourWire,
  ActivityList: ActivityWire,
  Administrator: AdministratorWire,
  AdministratorCreate: CreateAdministratorBody,
  AdministratorPage: listOf(AdministratorWire),
  AggregatedDay: AggregatedDayWire,
  AggregatedDayPage: listOf(AggregatedDayWire),
  Aggregation: AggregationWire,
  AggregationCreate: AggregateDaysBody,
  AggregationJob: AggregationJobWire,
  ApiKey: ApiKeyWire,
  ApiKeyCreate: CreateApiKeyBody,
  ApiKeyDetail: ApiKeyDetailWire,
  ApiKeyPage: listOf(ApiKeyDetailWire),
  ApiKeyRotate: RotateApiKeyBody,
  ApiKeyUpdate: UpdateApiKeyBody,
  AuditEntry: AuditEntryWire,
  AuditPage: listOf(AuditEntryWire),
  Brand: BrandWire,
  BrandCreate: CreateBrandBody,
  BrandDetail: BrandDetailWire,
  BrandLimits: LimitBrandBody,
  BrandListed: ListedBrandWire,
  BrandPage: listOf(ListedBrandWire),
  BrandSummary: BrandSummaryWire,
  BrandUpdate: UpdateBrandBody,
  ClientResponse: ClientResponseWire,
  ConcernMute: MuteConcernBody,
  ConsoleSession: ConsoleSessionWire,
  ConsoleSessionCreate: CreateConsoleSessionBody,
  Content: ContentWire,
  ContentPage: listOf(ContentWire),
  ContentsPut: PutContentsBody,
  DatasetDay: DatasetDayWire,
  DatasetDayDetail: DatasetDayDetailWire,
  DatasetDayPage: listOf(DatasetDayWire),
  DatasetLag: DatasetLagWire,
  DatasetLagPage: listOf(DatasetLagWire),
  DoctorRun: DoctorRunWire,
  DoctorRunPage: listOf(DoctorRunWire),
  ErasureReceipt: ErasureReceiptWire,
  EventBatch: PostLearningEventsBody,
  EventsTaken: EventsTakenWire,
  Feed: FeedSummaryWire,
  FeedCorrection: CorrectFeedBody,
  FeedLine: FeedLineWire,
  FeedLinePage: FeedLinePageWire,
  FeedPage: listOf(FeedSummaryWire),
  FeedRequeue: RequeueFeedBody,
  FeedToken: FeedTokenWire,
  FeedTokenCreate: CreateFeedTokenBody,
  FeedTokenPage: listOf(FeedTokenWire),
  Findings: FindingListWire,
  IdempotencyKeyUses: KeyUsesWire,
  IssuedAdministrator: IssuedAdministratorWire,
  IssuedApiKey: IssuedApiKeyWire,
  IssuedFeedToken: IssuedFeedTokenWire,
  Job: JobWire,
  JobDetail: JobDetailWire,
  JobPage: listOf(JobWire),
  JobsRetried: RetriedJobsWire,
  JobsRetry: RetryJobsBody,
  KeyLimits: LimitKeyBody,
  KeyUsage: KeyUsageWire,
  KeyUsagePage: listOf(KeyUsageWire),
  LearningEvent: LearningEventWire,
  LimitList: LimitListWire,
  Market: MarketWire,
  MarketPage: listOf(MarketWire),
  MarketsPut: PutMarketsBody,
  Overview: OverviewWire,
  OwnLimitList: OwnLimitListWire,
  PageMeta: PageMetaWire,
  PointOfSale: PointOfSaleWire,
  PointOfSalePage: listOf(PointOfSaleWire),
  PointsOfSalePut: PutPointsOfSaleBody,
  Refusal: RefusalWire,
  RefusalPage: listOf(RefusalWire),
  RequestTraces: RequestWire,
  Session: SessionWire,
  SessionPage: listOf(SessionWire),
  SignInMethods: SignInMethodsWire,
  SkuList: SkuListWire,
  StockExplanation: StockExplanationWire,
  StockHealth: StockHealthWire,
  UnverifiedRefusal: UnverifiedRefusalWire,
  UnverifiedRefusalPage: listOf(UnverifiedRefusalWire),
  Upserted: UpsertedWire,
  User: LearnerWire,
  UserDetail: LearnerDetailWire,
  UserPage: listOf(LearnerWire),
  UsersPut: PutLearnersBody,
};

const info: DocumentInfo = {
  title: 'Brandport internal surface',
  version: '1.0.0',
  description: `Administration of brands, their keys and feed tokens, with an audit log of every change.

Send \`Authorization: Bearer <token>\`: the admin token, or the token of an administrator, whose role decides what it may do. The admin token is \`BRANDPORT_ADMIN_TOKEN\` or, if that is not set, the content of the file\n\`admin-token\` in the data directory. API keys are not accepted here, and the admin token is not accepted by the client API.

Lists, errors, \`X-Request-Id\`, \`X-Ignored\` with \`Prefer: handling=strict\`, and 404 and 405 responses work as in the client API.
\`GET /internal/v1/brands/{id}/catalog/…\` and \`/analytics/…\` return what the same path of the client API returns to a key of that brand with
all read scopes, with the same \`ETag\`; \`/status\` is missing. The reference at \`/docs/\` of the client listener describes them.

After 30 wrong tokens in a minute, an address receives 429 for a right one too, until the minute is over. There are no other rate limits.

A POST of brands, keys, rotations, feed tokens, administrators, re-queues, corrections or aggregations takes an \`Idempotency-Key\`: with it, a retry performs the write once, and the replay shows no secret. PUT, DELETE and learning events can be repeated without one. If another write gets no response, check its outcome before you retry.`,
  tags: [
    { name: 'Overview', description: 'What needs attention.' },
    { name: 'Brands', description: 'Brands and their settings.' },
    { name: 'API keys', description: 'Issue, rotate, revoke and delete keys.' },
    { name: 'Feed tokens', description: 'Tokens for the legacy stock feed path.' },
    { name: 'Directory', description: 'Markets, points of sale, learners and contents.' },
    { name: 'Analytics', description: 'Ingest learning events, aggregate days.' },
    { name: 'Catalog', description: 'Find SKUs and explain stock.' },
    { name: 'Feeds and jobs', description: 'Work in progress and failed work.' },
    { name: 'Administrators', description: 'Tokens with a role, and sessions of browsers.' },
    { name: 'Console', description: 'Sessions of browsers.' },
    { name: 'Audit', description: 'The audit log of the internal surface.' },
  ],
  security: {
    name: 'adminToken',
    description: 'The admin token, or the token of an administrator.',
    format: 'opaque',
  },
  schemas: internalSchemas,
};

let document: OpenApiDocument | undefined;

export function internalDocument(): OpenApiDocument {
  document ??= openApiDocument(info, internalGroups);
  return document;
}
