import { join } from "node:path"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { version } from "./version.ts"

/** What the query threads load. */
export const programs = new URL("../engine/programs.ts", import.meta.url)

/** The engine with every rule, `threads` analyses at a time; in a service, it yields to request handling. */
export const engine = (threads: number, behindOthers = false) =>
  engineLayer({
    behindOthers,
    frontEnds: new URL("../engine/frontEnds.ts", import.meta.url),
    version,
    threads,
    compileCache: join(import.meta.dirname, "../../node_modules/.cache/assay/code"),
  })
