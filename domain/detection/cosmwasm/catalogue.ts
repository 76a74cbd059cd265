import type { Rule } from "../Rule.ts"
import type { CosmWasmProgram } from "./model.ts"

/** Every rule for CosmWasm contracts, one line each, by id. */
export const cosmwasmRules: ReadonlyArray<Rule<CosmWasmProgram>> = []
