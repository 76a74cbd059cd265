import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProgramModels } from "../../../application/ports/analysis/ProgramModels.ts"
import { ProgramThread } from "./ProgramThread.ts"

/** Models in threads of their own; `programs` is the module that these load. */
export const programModels = (programs: URL) =>
  Layer.succeed(ProgramModels, {
    open: (directory, files) =>
      Effect.gen(function* () {
        let thread: ProgramThread | undefined
        yield* Effect.addFinalizer(() => Effect.promise(async () => thread?.close()))
        const asked = () => (thread ??= new ProgramThread({ directory, files, programs: programs.href }))
        return { ask: (query, argument) => Effect.promise(() => asked().ask(query, argument)) }
      }),
  })
