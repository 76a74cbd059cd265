import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Predicate from "effect/Predicate"
import { printableLines } from "./terminal/printable.ts"

/** Output for a terminal: text from a repository or request must not be able to manipulate it. */
const logs = Logger.layer([
  Logger.map(Logger.formatLogFmt, (line) => {
    process.stderr.write(`${printableLines(line)}\n`)
  }),
])

/** What went wrong, as a sentence for the person who started the program. Exits with code 2. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

/** Undefined if it was already printed: the command line's own errors come with the help. */
const explain = (cause: Cause.Cause<unknown>): string | undefined => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (Predicate.isTagged(failure, "ShowHelp")) return undefined
  // A declared failure says in its message what to do; anything else is a defect and shows where it is.
  return failure instanceof Error && failure.message !== "" ? failure.message : Cause.pretty(cause)
}

/** npm forwards a Ctrl-C that the program also receives from the terminal: two in quick succession are one. */
const together = 500

/** The first signal requests an orderly shutdown, the second an immediate one. */
const endAtSecondSignal = (): (() => void) => {
  let first: number | undefined
  const count = (_: NodeJS.Signals, number: number): void => {
    first ??= performance.now()
    if (performance.now() - first > together) process.exit(128 + number)
  }
  process.on("SIGINT", count).on("SIGTERM", count)
  return () => process.off("SIGINT", count).off("SIGTERM", count)
}

/**
 * Runs a program to its end. On success, the program chooses the exit code; a failure is printed as a sentence and
 * exits with 2; an interruption (Ctrl-C, SIGTERM) is an orderly shutdown and exits with 0 for a service, 130 for a
 * command.
 */
export const runMain = (program: Effect.Effect<number, unknown>, interrupted: 0 | 130 = 130): void => {
  const stopWatching = endAtSecondSignal()
  // A full disk or a log collector that is gone costs log lines. Without a listener it would end the process.
  process.stderr.on("error", () => undefined)
  NodeRuntime.runMain(
    program.pipe(
      Effect.tapCause((cause) =>
        Effect.sync(() => {
          const explanation = Cause.hasInterruptsOnly(cause) ? undefined : explain(cause)
          if (explanation !== undefined) process.stderr.write(`${printableLines(explanation)}\n`)
        }),
      ),
      Effect.provide(logs),
    ),
    {
      disableErrorReporting: true,
      teardown: (exit, onExit) => {
        stopWatching()
        // The program's result is a number, but the type does not carry it.
        if (Exit.isSuccess(exit)) onExit(Number(exit.value))
        else onExit(Cause.hasInterruptsOnly(exit.cause) ? interrupted : 2)
      },
    },
  )
}
