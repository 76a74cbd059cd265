import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** JSON-RPC 2.0, section 5.1. */
const parseError = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } })}\n`

/** Characters: the protocol's reader gives up at 16 MB. */
const longest = 8_000_000

const isReadable = (line: string): boolean => {
  if (line.trim() === "") return true
  try {
    if (line.length > longest) return false
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/**
 * Standard input without the lines that are not JSON, which are answered: at the first one, the protocol's reader stops
 * for good, and the server would no longer respond.
 */
export const jsonLines = Layer.effect(
  Stdio.Stdio,
  Effect.map(Stdio.Stdio, (stdio) =>
    Stdio.make({
      ...stdio,
      stdin: stdio.stdin.pipe(
        Stream.decodeText,
        Stream.splitLines,
        Stream.filter((line) => isReadable(line) || (process.stdout.write(parseError), false)),
        Stream.map((line) => `${line}\n`),
        Stream.encodeText,
      ),
    }),
  ),
)
