import { ContentEngagementRowWire } from '../../analytics/datasets/content-engagement-wire.ts';
import { ContentRowWire } from '../../analytics/datasets/content-wire.ts';
import { DailyRowWire } from '../../analytics/datasets/daily-wire.ts';
import { AnalyticsStatus } from '../../analytics/datasets/routes/get-analytics-status.ts';
import { UserRowWire } from '../../analytics/datasets/user-wire.ts';
import { keysetListOf } from '../../analytics/datasets/wire-parts.ts';
import { listOf, PageMeta } from '../../api/pagination.ts';
import {
  AxisValueWire,
  AxisWire,
  CreateAxisBody,
  CreateAxisValueBody,
  UpdateAxisBody,
  UpdateAxisValueBody,
} from '../../catalog/axes/axis-wire.ts';
import {
  AxisSummary,
  EffectiveAxes,
  EffectiveAxis,
  ReplaceProductAxesBody,
} from '../../catalog/axis-selection/axis-selection-wire.ts';
import { FeedAcknowledgement, FeedReport, SubmitFeedBody } from '../../catalog/feeds/feed-wire.ts';
import {
  CreateLocationBody,
  LocationWire,
  UpdateLocationBody,
} from '../../catalog/locations/location-wire.ts';
import {
  CreateProductBody,
  ProductDetail,
  ProductListItem,
  UpdateProductBody,
} from '../../catalog/products/product-wire.ts';
import { KeyStatus } from '../../catalog/routes/get-key-status.ts';
import { AdjustStockBody, StockAdjusted } from '../../catalog/stock/adjust-wire.ts';
import { ProductStockWire } from '../../catalog/stock/product-stock-wire.ts';
import { StockLevelWire } from '../../catalog/stock/stock-level-wire.ts';
import { StockMovementWire } from '../../catalog/stock/stock-movement-wire.ts';
import {
  GenerateVariantsBody,
  GenerationPlanWire,
  GenerationResultWire,
} from '../../catalog/variants/generation-wire.ts';
import {
  CreateVariantBody,
  EmbeddedVariant,
  UpdateVariantBody,
  VariantWire,
} from '../../catalog/variants/variant-wire.ts';
import type { NamedSchemas } from './published-schema.ts';

/**
 * The names under which generated clients know the schemas of the client API: every body of a request and response, and
 * what they share. A name that clients have seen stays.
 */
export const clientSchemas: NamedSchemas = {
  AnalyticsStatus,
  Axis: AxisWire,
  AxisCreate: CreateAxisBody,
  AxisPage: listOf(AxisWire),
  AxisSummary,
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
  EffectiveAxes,
  EffectiveAxis,
  EmbeddedVariant,
  KeyStatus,
  PageMeta,
  Product: ProductDetail,
  ProductAxesReplace: ReplaceProductAxesBody,
  ProductCreate: CreateProductBody,
  ProductListItem,
  ProductPage: listOf(ProductListItem),
  ProductStock: ProductStockWire,
  ProductUpdate: UpdateProductBody,
  ProductVersions: CreateProductBody.properties.versions,
  StockAdjust: AdjustStockBody,
  StockAdjusted,
  StockFeed: SubmitFeedBody,
  StockFeedAcknowledgement: FeedAcknowledgement,
  StockFeedReport: FeedReport,
  StockLevel: StockLevelWire,
  StockLevelPage: listOf(StockLevelWire),
  StockLocation: LocationWire,
  StockLocationCreate: CreateLocationBody,
  StockLocationPage: listOf(LocationWire),
  StockLocationUpdate: UpdateLocationBody,
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
