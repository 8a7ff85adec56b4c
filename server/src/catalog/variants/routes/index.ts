import type { Operation } from '../../../api/operation.ts';
import { createVariantOperation } from './create-variant.ts';
import { deleteVariantOperation } from './delete-variant.ts';
import { generateVariantsOperation } from './generate-variants.ts';
import { listVariantsOperation } from './list-variants.ts';
import { updateVariantOperation } from './update-variant.ts';

export const variantOperations: readonly Operation[] = [
  listVariantsOperation, //     GET    /products/:tuId/variants
  createVariantOperation, //    POST   /products/:tuId/variants
  generateVariantsOperation, // POST   /products/:tuId/variants/generate
  updateVariantOperation, //    PATCH  /variants/:tuId
  deleteVariantOperation, //    DELETE /variants/:tuId
];
