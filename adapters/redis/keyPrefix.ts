/** Before every key of ours, so that a Redis may serve others beside us. */
export const keyPrefix = "assay"
