import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { StoreUnavailable } from "../../application/ports/StoreUnavailable.ts"
import type { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import { PoolId } from "../../domain/ids/Ids.ts"

const guarded = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new StoreUnavailable({ cause }) })

/** Answers as files in a folder that only this user can read; the command line has no monthly budget. */
export const fileReviewStore = (folder: string): ReviewStore["Service"] => ({
  account: () => Effect.succeed({ id: PoolId.make("local"), plan: "pro" }),
  find: (_account, key) =>
    guarded(() =>
      readFile(join(folder, `${key}.json`), "utf8").catch((error: unknown) => {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
        throw error
      }),
    ),
  keep: (_account, key, answer) =>
    guarded(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${key}.${process.pid}.draft`)
      await writeFile(draft, answer, { mode: 0o600 })
      await rename(draft, join(folder, `${key}.json`))
    }),
  spend: () => Effect.succeed(true),
  giveBack: () => Effect.void,
})
