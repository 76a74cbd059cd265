import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { failures } from "./errors.ts"
import { withStatus } from "./status.ts"

const Connection = Schema.Literals(["connected", "disconnected"])

export const BasicHealth = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

export const Readiness = Schema.Struct({
  status: Schema.Literal("ok"),
  writes: Schema.optionalKey(
    Schema.Literals(["possible", "read_only", "locked", "unknown"]).annotate({
      description: "Whether the database accepts writes. If not, reads still work and changes return 503.",
    }),
  ),
  brokenLoops: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "Parts of this process that failed and are being restarted.",
    }),
  ),
}).annotate({ identifier: "Readiness" })

const detailed = <const Status extends string>(status: Status) =>
  Schema.Struct({
    status: Schema.Literal(status),
    database: Connection,
    redis: Connection,
    uptime: Schema.Int.annotate({ description: "Seconds since the process started." }),
    externalServices: Schema.Record(Schema.String, Schema.String),
  })

export const DetailedHealth = detailed("ok").annotate({ identifier: "DetailedHealth" })

/** The health object and the error envelope in one, so that a probe and an ordinary client each find theirs. */
export const DegradedHealth = Schema.Struct({
  ...detailed("degraded").fields,
  error: Schema.Struct({ code: Schema.Literal("SERVICE_UNAVAILABLE"), message: Schema.String }),
  timestamp: Schema.String,
  requestId: Schema.String,
})
  .annotate({ identifier: "DegradedHealth", description: "The database is unreachable." })
  .pipe(withStatus(503))

/** What a probe of the readiness hears: the error envelope with a status beside it. */
export const NotReady = Schema.Struct({
  status: Schema.Literal("degraded"),
  error: Schema.Struct({ code: Schema.Literal("SERVICE_UNAVAILABLE"), message: Schema.String }),
  timestamp: Schema.String,
  requestId: Schema.String,
})
  .annotate({
    identifier: "NotReady",
    description: "Reads cannot be served, or the process is shutting down.",
  })
  .pipe(withStatus(503))

const error = [DegradedHealth, ...failures("INTERNAL_ERROR")] as const

export class HealthGroup extends HttpApiGroup.make("health")
  .add(
    HttpApiEndpoint.get("basic", "/health", { success: BasicHealth, error: failures("INTERNAL_ERROR") }).annotateMerge(
      OpenApi.annotations({
        summary: "Health",
        description: "Returns 200 while the process responds. Checks no dependencies.",
      }),
    ),
    HttpApiEndpoint.get("detailed", "/health/detailed", { success: DetailedHealth, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Health of the dependencies",
        description: "Returns 503 if the database is unavailable.",
      }),
    ),
    HttpApiEndpoint.get("ready", "/health/ready", {
      success: Readiness,
      error: [NotReady, ...failures("INTERNAL_ERROR")],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Readiness",
        description:
          "Returns 503 while reads cannot be served or the process is shutting down; the body lists other problems.",
      }),
    ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Health", description: "Health checks are not subject to the rate limit." }),
  ) {}
