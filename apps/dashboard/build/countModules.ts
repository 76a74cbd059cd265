import type { Plugin } from "vite"

/** Reports the progress of a build: `modules 412` on standard output, one line per 25. */
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
