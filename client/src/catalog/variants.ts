import type {
  ListVariantsQuery,
  PageMeta,
  Variant,
  VariantCreate,
  VariantGenerate,
  VariantGenerationPlan,
  VariantGenerationResult,
  VariantUpdate,
} from '../generated/wire.ts';
import { offsetPages } from '../pages/offset-pages.ts';
import type { PageOptions, Pages } from '../pages/pages.ts';
import { ClientResource } from '../resource.ts';
import type { Call } from '../transport/call.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

export class Variants extends ClientResource {
  /** Returns the live variants of a product. */
  list(productTuId: string, query?: ListVariantsQuery, options?: PageOptions): Pages<Variant, PageMeta> {
    return offsetPages(this.api, 'listVariants', [productTuId], { query, options });
  }

  create(productTuId: string, body: VariantCreate, options?: WriteOptions): Call<Variant> {
    return this.api.call('createVariant', [productTuId], { body }, options);
  }

  /** Creates a variant for every combination of the product's selection that has none. */
  generate(
    productTuId: string,
    body?: VariantGenerate & { readonly dry_run?: false },
    options?: WriteOptions,
  ): Call<VariantGenerationResult> {
    const call = this.api.call('generateVariants', [productTuId], { body }, options);
    return call as Call<VariantGenerationResult>;
  }

  /** Returns the number of variants that `generate` would create, without creating them. */
  planGeneration(
    productTuId: string,
    body?: VariantGenerate,
    options?: WriteOptions,
  ): Call<VariantGenerationPlan> {
    const input = { body: { ...body, dry_run: true } };
    const call = this.api.call('generateVariants', [productTuId], input, options);
    return call as Call<VariantGenerationPlan>;
  }

  update(tuId: string, body: VariantUpdate, options?: CallOptions): Call<Variant> {
    return this.api.call('updateVariant', [tuId], { body }, options);
  }

  /** Deletes a variant; its SKU stays taken. A retry that finds it deleted succeeds. */
  delete(tuId: string, options?: CallOptions): Call<undefined> {
    return this.api.call('deleteVariant', [tuId], {}, options);
  }
}
