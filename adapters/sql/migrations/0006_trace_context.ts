/** The `traceparent` of the request that an analysis belongs to, so that the worker goes on with its trace. */
export const traceContext: ReadonlyArray<string> = [`ALTER TABLE analyses ADD COLUMN trace_parent text`]
