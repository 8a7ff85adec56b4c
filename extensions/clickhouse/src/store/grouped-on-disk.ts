/** Memory for the groups of a statement. */
const groupBytes = 1_000_000_000;

/** Ends a statement that groups by the keys of a dataset. A brand may have any number of them: more than fit go to disk. */
export const groupedOnDisk = `settings max_bytes_before_external_group_by = ${groupBytes}`;
