import type { Plugin } from "vite"

/** Tells whoever started the build how far it is: `modules 412` on standard output, a line for each 25. */
export const countModules = (): Plugin => {
  let count = 0
  return {
    name: "assay-count-modules",
    apply: "build",
    transform: () => {
      count++
      if (count % 25 === 0 && process.env["ASSAY_DASHBOARD_OUT"] !== undefined) console.log(`modules ${count}`)
      return undefined
    },
  }
}
