import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Target } from "../remote/advertisedRefs.ts"
import { command, type FetchContext, refuse } from "../remote/FetchContext.ts"
import { onDisk } from "../onDisk.ts"
import { gitText } from "../process/runGit.ts"
import { transferProgress } from "./transferProgress.ts"
import { watchTransfer } from "./watchTransfer.ts"

/** The ref under which the fetched commit is kept in the fetch's own repository. */
const fetchedRef = "refs/assay/source"

/** Brings the one commit and its trees and smaller blobs; answers with the commit's id. */
export const fetchCommit = Effect.fnUntraced(function* (
  context: FetchContext,
  target: Target,
  objectFormat: string,
  onProgress: (fraction: number) => void,
) {
  yield* gitText(
    command(context, "local", ["init", "--quiet", "--bare", "--template=", `--object-format=${objectFormat}`, "."]),
  )
  const config = join(context.directory, "repository", "config")
  const untouched = yield* onDisk(() => readFile(config, "utf8"))

  let hasSpoken = false
  const progress = transferProgress(onProgress)
  const fetch = gitText(
    command(
      context,
      "network",
      [
        "fetch",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
        "--no-auto-maintenance",
        "--progress",
        // Servers without this capability send everything: git says so and goes on.
        `--filter=blob:limit=${context.limits.fileBytes + 1}`,
        "--",
        context.url,
        `${target.ref}:${fetchedRef}`,
      ],
      {
        onStderr: (text) => {
          hasSpoken = true
          progress(text)
        },
      },
    ),
  )
  const watch = watchTransfer(
    join(context.directory, "repository"),
    () => hasSpoken,
    new URL(context.url).host,
    context.limits,
  )
  yield* Effect.raceFirst(fetch, watch)

  // The filter made the remote a promisor: git would ask it for each blob that was kept back.
  yield* onDisk(() => writeFile(config, untouched))
  const id = yield* gitText(
    command(context, "local", ["rev-parse", "--verify", "--quiet", `${fetchedRef}^{commit}`]),
  ).pipe(Effect.mapError(() => refuse(`"${target.branch}" in ${context.url} is not a commit.`)))
  return id.trim()
})
