import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ExternalEngines } from "../../application/analysis/ExternalEngines.ts"
import { ruleMetas } from "../../domain/detection/catalog.ts"
import { presets } from "../../domain/external/presets.ts"
import { runNamed } from "./importReports.ts"
import { Refusal } from "../runMain.ts"
import { wrongVariable } from "./wrongVariable.ts"

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
      return Effect.succeed(names.length === 0 ? undefined : { names, run: runNamed, rules: ruleMetas })
    }),
  ),
)
