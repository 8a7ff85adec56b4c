import { ContentEngagementRowWire } from '../../analytics/datasets/content-engagement.ts';
import { ContentRowWire } from '../../analytics/datasets/contents.ts';
import { DailyRowWire } from '../../analytics/datasets/daily.ts';
import { keysetListOf } from '../../analytics/datasets/dataset-wire.ts';
import { AnalyticsStatusWire } from '../../analytics/datasets/status.ts';
import { UserRowWire } from '../../analytics/datasets/users.ts';
import { listOf, PageMetaWire } from '../../api/pagination.ts';
import {
  AxisValueWire,
  AxisWire,
  CreateAxisBody,
  CreateAxisValueBody,
  UpdateAxisBody,
  UpdateAxisValueBody,
} from '../../catalog/axes/axis-wire.ts';
import {
  AxisSummaryWire,
  EffectiveAxesWire,
  EffectiveAxisWire,
  ReplaceProductAxesBody,
} from '../../catalog/axis-selection/axis-selection-wire.ts';
import {
  FeedAcknowledgementWire,
  FeedReportWire,
  SubmitStockFeedBody,
} from '../../catalog/feeds/feed-wire.ts';
import {
  CreateStockLocationBody,
  LocationWire,
  UpdateStockLocationBody,
} from '../../catalog/locations/location-wire.ts';
import { ProductStockWire } from '../../catalog/products/get-product-stock.ts';
import {
  CreateProductBody,
  ProductDetailWire,
  ProductListItemWire,
  UpdateProductBody,
} from '../../catalog/products/product-wire.ts';
import { KeyStatusWire } from '../../catalog/status-operations.ts';
import { AdjustStockBody, StockAdjustedWire } from '../../catalog/stock/adjust-wire.ts';
import {
  ListedStockLevelWire,
  StockLevelListWire,
  StockLevelPageMetaWire,
  StockLevelWire,
} from '../../catalog/stock/stock-level-wire.ts';
import { StockMovementWire } from '../../catalog/stock/stock-movement-wire.ts';
import {
  CreateVariantBody,
  EmbeddedVariantWire,
  GenerateVariantsBody,
  GenerationPlanWire,
  GenerationResultWire,
  UpdateVariantBody,
  VariantWire,
} from '../../catalog/variants/variant-wire.ts';
import type { NamedSchemas } from './published-schema.ts';

/** The client API's schemas as generated clients name them: bodies and shared parts. Never rename a published one. */
export const clientSchemas: NamedSchemas = {
  AnalyticsStatus: AnalyticsStatusWire,
  Axis: AxisWire,
  AxisCreate: CreateAxisBody,
  AxisPage: listOf(AxisWire),
  AxisSummary: AxisSummaryWire,
  AxisUpdate: UpdateAxisBody,
  AxisValue: AxisValueWire,
  AxisValueCreate: CreateAxisValueBody,
  AxisValueUpdate: UpdateAxisValueBody,
  ContentEngagementPage: keysetListOf(ContentEngagementRowWire),
  ContentEngagementRow: ContentEngagementRowWire,
  ContentMetricsPage: keysetListOf(ContentRowWire),
  ContentMetricsRow: ContentRowWire,
  DailyMetricsPage: listOf(DailyRowWire),
  DailyMetricsRow: DailyRowWire,
  EffectiveAxes: EffectiveAxesWire,
  EffectiveAxis: EffectiveAxisWire,
  EmbeddedVariant: EmbeddedVariantWire,
  KeyStatus: KeyStatusWire,
  PageMeta: PageMetaWire,
  Product: ProductDetailWire,
  ProductAxesReplace: ReplaceProductAxesBody,
  ProductCreate: CreateProductBody,
  ProductListItem: ProductListItemWire,
  ProductPage: listOf(ProductListItemWire),
  ProductStock: ProductStockWire,
  ProductUpdate: UpdateProductBody,
  ProductVersions: CreateProductBody.properties.versions,
  StockAdjust: AdjustStockBody,
  StockAdjusted: StockAdjustedWire,
  StockFeed: SubmitStockFeedBody,
  StockFeedAcknowledgement: FeedAcknowledgementWire,
  StockFeedReport: FeedReportWire,
  StockLevel: StockLevelWire,
  StockLevelListed: ListedStockLevelWire,
  StockLevelPage: StockLevelListWire,
  StockLevelPageMeta: StockLevelPageMetaWire,
  StockLocation: LocationWire,
  StockLocationCreate: CreateStockLocationBody,
  StockLocationPage: listOf(LocationWire),
  StockLocationUpdate: UpdateStockLocationBody,
  StockMovement: StockMovementWire,
  StockMovementPage: listOf(StockMovementWire),
  UserDayPage: keysetListOf(UserRowWire),
  UserDayRow: UserRowWire,
  Variant: VariantWire,
  VariantCreate: CreateVariantBody,
  VariantGenerate: GenerateVariantsBody,
  VariantGenerationPlan: GenerationPlanWire,
  VariantGenerationResult: GenerationResultWire,
  VariantPage: listOf(VariantWire),
  VariantUpdate: UpdateVariantBody,
};
