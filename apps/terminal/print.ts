import * as Effect from "effect/Effect"
import { Refusal } from "../runMain.ts"
import { reasonOf } from "./systemError.ts"

/**
 * Writes a text, ending in a line break, to standard output and waits for that. A reader that closes its end early, such
 * as `head`, has what it wanted.
 */
export const print = (text: string): Effect.Effect<void, Refusal> =>
  Effect.callback((resume) => {
    const done = (error?: (Error & { readonly code?: unknown }) | null): void =>
      resume(
        error == null || error.code === "EPIPE"
          ? Effect.void
          : Effect.fail(new Refusal(`Could not write to standard output: ${reasonOf(error)}.`)),
      )
    // Without a listener, the error would end the process with a stack trace.
    process.stdout.on("error", done)
    process.stdout.write(text.endsWith("\n") ? text : `${text}\n`, done)
  })
