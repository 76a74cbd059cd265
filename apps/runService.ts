import * as NodeServices from "@effect/platform-node/NodeServices"
import { Command } from "effect/cli"
import * as Effect from "effect/Effect"
import { runMain } from "./runMain.ts"
import { version } from "./wiring/version.ts"

/**
 * Runs a program that takes no arguments except `--help` and `--version`; everything else comes from its environment.
 */
export const runService = (
  name: string,
  description: string,
  program: Effect.Effect<unknown, unknown>,
  interrupted: 0 | 130 = 0,
): void => {
  const command = Command.make(name, {}, () => program).pipe(
    Command.withDescription(`${description} Configured by environment variables, see docs/operations.md.`),
  )
  runMain(
    Effect.suspend(() => Command.runWith(command, { version })(process.argv.slice(2))).pipe(
      Effect.as(0),
      Effect.provide(NodeServices.layer),
    ),
    interrupted,
  )
}
