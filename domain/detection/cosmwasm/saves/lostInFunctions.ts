import type { Match } from "../../Rule.ts"
import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { CosmWasmCrate, EntryPoint } from "../program/model.ts"
import { idleValues } from "./idleValues.ts"
import { lostChanges } from "./lostChanges.ts"
import { returnedSums } from "./returnedSums.ts"

/** What functions take, load or compute and do not keep, whichever message they serve. */
export const lostInFunctions = (crate: CosmWasmCrate): ReadonlyArray<Match> => [
  ...[...changingFunctions(crate.entryPoints)].flatMap(lostIn),
  ...crate.crate.functions.flatMap(idleIn),
  ...[...returnedSums(crate)].map((definition): Match => ({
    file: definition.module.file,
    span: definition.item.nameSpan,
    scope: definition.qualifiedName,
    message: "The new value is returned but never saved, although the function takes mutable storage.",
    confidence: "medium",
  })),
]

/** The functions that messages other than queries run through. */
const changingFunctions = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlySet<FunctionDefinition> =>
  new Set(entryPoints.flatMap(({ kind, events }) => (kind === "query" ? [] : events.map((event) => event.function))))

const lostIn = (definition: FunctionDefinition): ReadonlyArray<Match> =>
  lostChanges(definition).map(({ node, kind }) => ({
    file: definition.module.file,
    span: node,
    scope: definition.qualifiedName,
    message:
      kind === "sum"
        ? "The sum computed here, which starts from the stored value, is never used."
        : "The copy saved here is not the one that was changed.",
    confidence: "medium",
  }))

const idleIn = (definition: FunctionDefinition): ReadonlyArray<Match> =>
  idleValues(definition).map((binding) => ({
    file: definition.module.file,
    span: binding,
    scope: definition.qualifiedName,
    message: `\`${binding.name}\` is never used, so its intended effect never happens.`,
    severity: "medium",
    confidence: "medium",
  }))
