/**
 * The ids that the examples of the documents use. The demonstration brand has them, so that what somebody copies out of
 * the reference works there [D62]. Everywhere else ids are random.
 */
export const exampleIds = {
  /** `TEE-001`, a product with variants. */
  product: 'V1StGXR8_Z5jdHi6B-myT',
  /** `TEE-001-red-m`, which has stock. */
  variant: 'Uakgb_J5m9g-0JDMbcJqL',
  /** `TEE-001-blue-s`, which has none and may be deleted. */
  spareVariant: 'r9pQ2mXc7VbN4kLsT0wYz',
  feed: 'q3Zt8Wm_Ks1vXb-D4nRyH',
  /** The job that applies the feed; found for a day after it is done. */
  job: '0f7c1a52-6a0e-4f0c-9a53-3f1d2d0b7c11',
  /** A key that nobody knows the secret of: to be looked at, rotated, revoked, deleted. */
  key: 'tuk_0123456789abcdef01234567',
} as const;
