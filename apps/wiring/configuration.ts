import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseAllowedHosts } from "../../domain/repository/RepositoryUrl.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

/** Hosts from which repositories may be fetched besides github.com. */
const allowedHosts = Config.String("ASSAY_ALLOWED_HOSTS").pipe(Config.withDefault(""))

/** What every process reads from its environment; `docs/operations.md` has the table. */
const variables = Config.all({
  // 0 for any free one
  port: Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })), "PORT").pipe(
    Config.withDefault(8080),
  ),
  metricsPort: Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })), "METRICS_PORT").pipe(
    Config.withDefault(undefined),
  ),
  host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
  publicUrl: Config.String("ASSAY_PUBLIC_URL").pipe(Config.withDefault("")),
  returnUrls: Config.String("ASSAY_RETURN_URLS").pipe(Config.withDefault("")),
  trustedProxies: Config.Int("ASSAY_TRUSTED_PROXIES").pipe(Config.withDefault(0)),
  connectionsPerAddress: Config.schema(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })),
    "ASSAY_CONNECTIONS_PER_ADDRESS",
  ).pipe(Config.withDefault(500)),
  // The default depends on who reads the log: a collector, or a person at a terminal.
  requestLog: Config.Literals(["info", "warning", "none"], "ASSAY_REQUEST_LOG").pipe(Config.withDefault(undefined)),
  workerConcurrency: Config.schema(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 256 })),
    "ASSAY_WORKER_CONCURRENCY",
  ).pipe(Config.withDefault(availableParallelism())),
  // Kubernetes kills a pod 30 s after SIGTERM, and returning analyses to the queue takes 3.
  gracePeriod: Config.Duration("ASSAY_GRACE_PERIOD").pipe(Config.withDefault(Duration.seconds(25))),
  drainDelay: Config.Duration("ASSAY_DRAIN_DELAY").pipe(Config.withDefault(Duration.seconds(5))),
  workDirectory: Config.String("ASSAY_WORK_DIR").pipe(Config.withDefault(join(tmpdir(), "assay"))),
  allowPrivateWebhooks: Config.Boolean("ASSAY_ALLOW_PRIVATE_WEBHOOKS").pipe(Config.withDefault(false)),
  allowedHosts,
})

/** The configuration, checked as a whole before anything starts. */
export const configuration = Effect.gen(function* () {
  const read = yield* variables
  const hosts = parseAllowedHosts(read.allowedHosts)
  if (Result.isFailure(hosts)) return yield* Effect.fail(new Refusal(`ASSAY_ALLOWED_HOSTS: ${hosts.failure}`))
  if (!Duration.isLessThanOrEqualTo(read.gracePeriod, Duration.hours(1))) {
    return yield* Effect.fail(
      new Refusal("ASSAY_GRACE_PERIOD must be a duration of at most 1 hour, such as 25 seconds"),
    )
  }
  if (!Duration.isLessThanOrEqualTo(read.drainDelay, Duration.minutes(5))) {
    return yield* Effect.fail(
      new Refusal("ASSAY_DRAIN_DELAY must be a duration of at most 5 minutes, such as 5 seconds"),
    )
  }
  const returnUrls = read.returnUrls.split(/[\s,]+/).filter((url) => url !== "")
  const notAUrl = returnUrls.find((url) => !/^https?:\/\//.test(url) || !URL.canParse(url))
  if (notAUrl !== undefined) return yield* Effect.fail(new Refusal(`ASSAY_RETURN_URLS: ${notAUrl} is not a valid URL`))
  return {
    ...read,
    allowedHosts: hosts.success,
    returnUrls,
    publicUrl: read.publicUrl === "" ? undefined : withoutTrailingSlashes(read.publicUrl),
  }
}).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(wrongVariable(error))))

export type Configuration = Effect.Success<typeof configuration>
