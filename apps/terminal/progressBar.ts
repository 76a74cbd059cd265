import { styleText } from "node:util"
import type { Stage } from "../../domain/analysis/Stage.ts"

const labels: Record<Stage, string> = {
  queued: "Waiting for a worker",
  fetching_source: "Fetching the source",
  detecting_framework: "Detecting the framework",
  compilation: "Parsing and resolving",
  static_analysis: "Running the rules",
  external_analysis: "Running external engines",
  ai_analysis: "Reviewing with AI",
  report_generation: "Writing the report",
  completed: "Done",
}

/** The stage as what the program was doing: "fetching the source". */
export const activityIn = (stage: Stage): string => `${labels[stage].charAt(0).toLowerCase()}${labels[stage].slice(1)}`

const width = 28

/** Shows the progress of an analysis. `update` takes a percentage; `done` restores the terminal. */
export interface ProgressBar {
  readonly update: (stage: Stage, percent: number) => void
  readonly done: () => void
}

/** A single line that is redrawn on a terminal; one line per stage if the output is a file or a pipe. */
export const progressBar = (stream: NodeJS.WriteStream): ProgressBar => {
  if (!stream.isTTY) {
    let last: Stage | undefined
    return {
      update: (stage, percent) => {
        if (stage === last) return
        last = stage
        stream.write(`${String(percent).padStart(3)}% ${labels[stage]}\n`)
      },
      done: () => undefined,
    }
  }
  return {
    update: (stage, percent) => {
      const filled = Math.round((percent / 100) * width)
      const bar =
        styleText("cyan", "━".repeat(filled), { stream }) + styleText("dim", "━".repeat(width - filled), { stream })
      stream.write(`\r\u001b[2K${bar} ${String(percent).padStart(3)}% ${labels[stage]}`)
    },
    done: () => stream.write("\r\u001b[2K"),
  }
}
