import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ExternalEngines } from "../../application/analysis/ExternalEngines.ts"
import { presets } from "../../domain/external/presets.ts"
import { runNamed } from "./importReports.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

// Loaded only when needed: the rules and their checks are 600 modules.
const catalogOf = Effect.promise(() => import("../../domain/detection/catalog.ts"))

/** The analyzers of `ASSAY_ENGINES`, found on PATH; none without it. */
export const externalEngines = Layer.effect(
  ExternalEngines,
  Config.String("ASSAY_ENGINES").pipe(
    Config.withDefault(""),
    Effect.mapError(wrongVariable),
    Effect.flatMap((text) => {
      const names = text.split(/[\s,]+/).filter((name) => name !== "")
      const unknown = names.find((name) => !Object.hasOwn(presets, name))
      if (unknown !== undefined) {
        const all = Object.keys(presets).join(", ")
        return Effect.fail(new Refusal(`ASSAY_ENGINES: unknown engine ${unknown}. Available engines: ${all}.`))
      }
      if (names.length === 0) return Effect.succeed(undefined)
      return Effect.map(catalogOf, ({ ruleMetas }) => ({ names, run: runNamed, rules: ruleMetas }))
    }),
  ),
)
