import { join } from "node:path"
import { engineLayer } from "../../adapters/engine/engineLayer.ts"
import { version } from "./version.ts"

/** The engine with every rule, `threads` analyses at a time. */
export const engine = (threads: number) =>
  engineLayer({
    frontEnds: new URL("../engine/frontEnds.ts", import.meta.url),
    version,
    threads,
    compileCache: join(import.meta.dirname, "../../node_modules/.cache/assay/code"),
  })
