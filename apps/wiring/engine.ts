import { join } from "node:path"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { version } from "./version.ts"

/** What the threads load that answer questions about programs. */
export const programs = new URL("../engine/programs.ts", import.meta.url)

/** The engine with every rule, `threads` analyses at a time; that of a service lets what serves others go first. */
export const engine = (threads: number, behindOthers = false) =>
  engineLayer({
    behindOthers,
    frontEnds: new URL("../engine/frontEnds.ts", import.meta.url),
    version,
    threads,
    compileCache: join(import.meta.dirname, "../../node_modules/.cache/assay/code"),
  })
