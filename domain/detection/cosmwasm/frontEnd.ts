import type { RustProject } from "../rust/program.ts"
import type { RustEcosystem } from "../rust/rustFrontEnd.ts"
import { cosmwasmRules } from "./catalogue.ts"

export const cosmwasm: RustEcosystem<RustProject> = {
  ecosystem: "cosmwasm",
  build: (project) => project,
  rules: cosmwasmRules,
}
