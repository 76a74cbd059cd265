import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Caller } from "../../domain/identity/Caller.ts"
import { parseFolderPath } from "../../domain/repository/FolderPath.ts"
import { completedRepository } from "../analysis/getResult.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { AnalysisStore } from "../ports/analysis/AnalysisStore.ts"
import { CodeHost } from "../ports/repositories/CodeHost.ts"
import { hostingSecret } from "../repositories/hostingSecret.ts"
import type { AnalysisId } from "../../domain/ids/Ids.ts"

/**
 * Why a file cannot be shown: its host is not queried, no commit is known, or the file is missing, too large, or not
 * text.
 */
export class SourceGone extends Schema.TaggedError<SourceGone>()("SourceGone", {
  reason: Schema.Literals(["host", "commit", "file", "size", "binary"]),
}) {}

/** Maximum size in bytes of a file that is shown. */
export const largestSource = 1_000_000

/** Valid UTF-8 without characters that text does not contain. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return text.includes("\0") ? undefined : text
  } catch {
    return undefined
  }
}

/**
 * A file at the analyzed commit, from the hosting service: with the caller's own token, if any, so that we never show
 * anyone what the service would not.
 */
export const readSource = Effect.fn("readSource")(function* (caller: Caller, analysisId: AnalysisId, given: string) {
  const path = parseFolderPath(given)
  if (Result.isFailure(path)) {
    return yield* new InvalidInput({ fields: [{ field: "path", message: path.failure }] })
  }
  const repositoryUrl = yield* completedRepository(caller, analysisId)
  const { commit } = yield* AnalysisStore.use((store) => store.find(caller.userId, analysisId))
  const host = yield* CodeHost
  if (!URL.canParse(repositoryUrl) || new URL(repositoryUrl).origin !== host.origin) {
    return yield* new SourceGone({ reason: "host" })
  }
  if (commit === undefined) return yield* new SourceGone({ reason: "commit" })
  const token = yield* hostingSecret(caller.userId).pipe(
    Effect.map(({ secret }) => secret),
    Effect.catchTag("HostingTokenRequired", () => Effect.undefined),
  )
  const bytes = yield* host.file(token, { repositoryUrl, commit, path: path.success, largest: largestSource })
  if (bytes === undefined) return yield* new SourceGone({ reason: "file" })
  if (bytes === "too large") return yield* new SourceGone({ reason: "size" })
  const content = textOf(bytes)
  if (content === undefined) return yield* new SourceGone({ reason: "binary" })
  return { path: path.success, commit, content }
})
