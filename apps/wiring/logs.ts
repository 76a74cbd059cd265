import * as Logger from "effect/Logger"

/** One JSON object a line on stderr, for a log collector. */
export const jsonLogs = Logger.layer([
  Logger.map(Logger.formatJson, (line) => {
    process.stderr.write(`${line}\n`)
  }),
])
