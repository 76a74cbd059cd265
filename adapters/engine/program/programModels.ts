import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProgramModels } from "../../../application/ports/ProgramModels.ts"
import { ProgramThread } from "./ProgramThread.ts"

/** Models in threads of their own. */
export const programModels = Layer.succeed(ProgramModels, {
  open: (directory, files) =>
    Effect.gen(function* () {
      let thread: ProgramThread | undefined
      yield* Effect.addFinalizer(() => Effect.promise(async () => thread?.close()))
      return {
        ask: (query, argument) =>
          Effect.promise(() => (thread ??= new ProgramThread({ directory, files })).ask(query, argument)),
      }
    }),
})
