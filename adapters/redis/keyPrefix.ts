/** The prefix of all our keys, so that a Redis can be shared. */
export const keyPrefix = "assay"
