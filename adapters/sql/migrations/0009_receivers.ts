/** Finds the next delivery of each receiver without reading past the others that wait for it. */
export const receivers: ReadonlyArray<string> = [
  `CREATE INDEX deliveries_receiver ON deliveries (receiver, due_at, id) WHERE status IN ('pending', 'sending')`,
]
