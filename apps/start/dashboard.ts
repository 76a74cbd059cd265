import * as Effect from "effect/Effect"
import { ensureBuilt } from "../dashboard/build/ensureBuilt.ts"

/** Builds the dashboard if its sources have changed, and reports it. If that fails, the service runs without it. */
export const dashboard = (stream: NodeJS.WriteStream) =>
  Effect.promise(async () => {
    const clear = stream.isTTY ? "\r\u001b[2K" : ""
    let announced = false
    const built = await ensureBuilt((modules) => {
      if (stream.isTTY)
        stream.write(`${clear}Building the dashboard (cached for later starts): ${modules} modules read`)
      else if (!announced) stream.write("Building the dashboard (cached for later starts)\n")
      announced = true
    })
    if (built.state === "built") stream.write(`${clear}Dashboard built.\n`)
    if (built.state === "failed") stream.write(`${clear}The dashboard could not be built:\n${built.reason}\n`)
    if (built.state === "impossible") stream.write(`${clear}There is no current dashboard: ${built.reason}.\n`)
  })
