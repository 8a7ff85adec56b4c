/** Ids of the documents' examples, which the demo brand has [D62]. All other ids are random. */
export const exampleIds = {
  /** `TEE-001`, a product with variants. */
  product: 'V1StGXR8_Z5jdHi6B-myT',
  /** `TEE-001-red-m`, which has stock. */
  variant: 'Uakgb_J5m9g-0JDMbcJqL',
  /** `TEE-001-blue-s`, which has none and may be deleted. */
  spareVariant: 'r9pQ2mXc7VbN4kLsT0wYz',
  feed: 'q3Zt8Wm_Ks1vXb-D4nRyH',
  /** The job that applies the feed; kept for a day after completion. */
  job: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
  /** A key with an unknown secret: for examples that read, rotate, revoke and delete keys. */
  key: 'tuk_0123456789abcdef01234567',
  /** The request that is recorded with the opening stock of the variant. */
  request: '7f4df7c4-6d5e-4d0a-9d3c-0c5f6c1f6a55',
} as const;
