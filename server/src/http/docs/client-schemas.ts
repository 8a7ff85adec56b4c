import { ContentEngagementRowWire } from '../../analytics/datasets/content-engagement-wire.ts';
import { ContentRowWire } from '../../analytics/datasets/content-wire.ts';
import { DailyRowWire } from '../../analytics/datasets/daily-wire.ts';
import { AnalyticsStatus } from '../../analytics/datasets/routes/get-analytics-status.ts';
import { UserRowWire } from '../../analytics/datasets/user-wire.ts';
import { keysetListOf } from '../../analytics/datasets/wire-parts.ts';
import { listOf, PageMeta } from '../../api/pagination.ts';
import {
  AxisCreate,
  AxisUpdate,
  AxisValueCreate,
  AxisValueUpdate,
  AxisValueWire,
  AxisWire,
} from '../../catalog/axes/axis-wire.ts';
import {
  AxisSummary,
  EffectiveAxes,
  EffectiveAxis,
  ProductAxesReplace,
} from '../../catalog/axis-selection/axis-selection-wire.ts';
import { FeedAcknowledgement, FeedReport, FeedSubmission } from '../../catalog/feeds/feed-wire.ts';
import { LocationCreate, LocationUpdate, LocationWire } from '../../catalog/locations/location-wire.ts';
import {
  ProductCreate,
  ProductDetail,
  ProductListItem,
  ProductUpdate,
} from '../../catalog/products/product-wire.ts';
import { KeyStatus } from '../../catalog/routes/get-key-status.ts';
import { StockAdjust, StockAdjusted } from '../../catalog/stock/adjust-wire.ts';
import { ProductStockWire } from '../../catalog/stock/product-stock-wire.ts';
import { StockLevelWire } from '../../catalog/stock/stock-level-wire.ts';
import { StockMovementWire } from '../../catalog/stock/stock-movement-wire.ts';
import {
  GenerationPlanWire,
  GenerationResultWire,
  VariantGeneration,
} from '../../catalog/variants/generation-wire.ts';
import {
  EmbeddedVariant,
  VariantCreate,
  VariantUpdate,
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
  AxisCreate,
  AxisPage: listOf(AxisWire),
  AxisSummary,
  AxisUpdate,
  AxisValue: AxisValueWire,
  AxisValueCreate,
  AxisValueUpdate,
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
  ProductAxesReplace,
  ProductCreate,
  ProductListItem,
  ProductPage: listOf(ProductListItem),
  ProductStock: ProductStockWire,
  ProductUpdate,
  ProductVersions: ProductCreate.properties.versions,
  StockAdjust,
  StockAdjusted,
  StockFeed: FeedSubmission,
  StockFeedAcknowledgement: FeedAcknowledgement,
  StockFeedReport: FeedReport,
  StockLevel: StockLevelWire,
  StockLevelPage: listOf(StockLevelWire),
  StockLocation: LocationWire,
  StockLocationCreate: LocationCreate,
  StockLocationPage: listOf(LocationWire),
  StockLocationUpdate: LocationUpdate,
  StockMovement: StockMovementWire,
  StockMovementPage: listOf(StockMovementWire),
  UserDayPage: keysetListOf(UserRowWire),
  UserDayRow: UserRowWire,
  Variant: VariantWire,
  VariantCreate,
  VariantGenerate: VariantGeneration,
  VariantGenerationPlan: GenerationPlanWire,
  VariantGenerationResult: GenerationResultWire,
  VariantPage: listOf(VariantWire),
  VariantUpdate,
};
