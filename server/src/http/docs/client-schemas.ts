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
import {
  ProductCreate,
  ProductDetail,
  ProductListItem,
  ProductUpdate,
} from '../../catalog/products/product-wire.ts';
import { KeyStatus } from '../../catalog/status/routes/get-key-status.ts';
import { StockAdjust, StockAdjusted } from '../../catalog/stock/adjust/adjust-wire.ts';
import { StockLevelWire } from '../../catalog/stock/levels/stock-level-wire.ts';
import { LocationCreate, LocationUpdate, LocationWire } from '../../catalog/stock/locations/location-wire.ts';
import { StockMovementWire } from '../../catalog/stock/movements/stock-movement-wire.ts';
import { ProductStockWire } from '../../catalog/stock/product-stock/product-stock-wire.ts';
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
  Axis: AxisWire,
  AxisCreate,
  AxisPage: listOf(AxisWire),
  AxisSummary,
  AxisUpdate,
  AxisValue: AxisValueWire,
  AxisValueCreate,
  AxisValueUpdate,
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
  Variant: VariantWire,
  VariantCreate,
  VariantGenerate: VariantGeneration,
  VariantGenerationPlan: GenerationPlanWire,
  VariantGenerationResult: GenerationResultWire,
  VariantPage: listOf(VariantWire),
  VariantUpdate,
};
