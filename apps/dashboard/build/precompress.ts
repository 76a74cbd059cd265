import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { Plugin } from "vite"

/** A smaller response is one packet either way. */
const worthwhile = 1_024

/** Stores each file compressed as `.br` and `.gz` beside it, so that the service never has to compress. */
export const precompress = (): Plugin => ({
  name: "assay-precompress",
  apply: "build",
  writeBundle: ({ dir }, bundle) => {
    for (const name of Object.keys(bundle)) {
      const file = join(dir!, name)
      const plain = readFileSync(file)
      if (plain.length < worthwhile) continue
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
      writeFileSync(`${file}.br`, brotliCompressSync(plain, { params }))
      writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }))
    }
  },
})
