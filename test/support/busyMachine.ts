import { type ChildProcess, spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"

/** A loop ends by itself if nobody stops it. */
const loop = "const end = Date.now() + 300_000; while (Date.now() < end);"

/** This many processes per core that want all of it, for as long as the scope lasts. */
export const busyMachine = (onEachCore: number): Effect.Effect<ReadonlyArray<ChildProcess>, never, Scope> =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: onEachCore * availableParallelism() }, () => {
          const child = spawn(process.execPath, ["-e", loop], { stdio: "ignore" })
          return new Promise<ChildProcess>((resolve, reject) => {
            child.once("spawn", () => resolve(child)).once("error", reject)
          })
        }),
      ),
    ),
    (children) => Effect.sync(() => children.forEach((child) => child.kill("SIGKILL"))),
  )
