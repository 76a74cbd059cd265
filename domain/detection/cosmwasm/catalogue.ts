import type { Rule } from "../Rule.ts"
import type { RustProject } from "../rust/program.ts"

/** Every rule for CosmWasm contracts, one line each, by id. */
export const cosmwasmRules: ReadonlyArray<Rule<RustProject>> = []
