import type { RustEcosystem } from "../rust/rustFrontEnd.ts"
import { cosmwasmAccess } from "./access.ts"
import { buildCosmWasmProgram } from "./buildCosmWasm.ts"
import { cosmwasmRules } from "./catalog.ts"
import type { CosmWasmProgram } from "./program/model.ts"
import { cosmwasmUnderstanding } from "./understanding.ts"

export const cosmwasm: RustEcosystem<CosmWasmProgram> = {
  ecosystem: "cosmwasm",
  build: buildCosmWasmProgram,
  understood: cosmwasmUnderstanding,
  rules: cosmwasmRules,
  access: cosmwasmAccess,
}
