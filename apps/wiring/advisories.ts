import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DetectionEngine } from "../../application/ports/analysis/DetectionEngine.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

/**
 * The engine with the advisories at `ASSAY_ADVISORIES` in addition to the bundled ones; without the variable, the
 * engine unchanged.
 */
export const withAdvisories = Layer.unwrap(
  Config.String("ASSAY_ADVISORIES").pipe(
    Config.withDefault(""),
    Effect.mapError(wrongVariable),
    Effect.map((directory) =>
      directory === ""
        ? Layer.effect(DetectionEngine, DetectionEngine)
        : Layer.unwrap(
            Effect.map(
              Effect.promise(() => import("../../adapters/advisories/refreshedAdvisories.ts")),
              ({ refreshedAdvisories }) => refreshedAdvisories(directory),
            ),
          ).pipe(
            Layer.catch(({ message }) =>
              Layer.effect(DetectionEngine, Effect.fail(new Refusal(`ASSAY_ADVISORIES: ${message}`))),
            ),
          ),
    ),
  ),
)
