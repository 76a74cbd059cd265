import type { Rule } from "../../../Rule.ts"
import { profileManifest } from "../../../rust/crate/releaseProfile.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

export const overflowChecksDisabled: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/overflow-checks-disabled",
    class: "unchecked-arithmetic",
    title: "Overflow checks disabled in the release profile",
    severity: "medium",
    confidence: "medium",
    cwe: [190, 191],
    description:
      "The release profile sets `overflow-checks = false`. In the deployed code, every `+`, `-` and `*` on " +
      "plain integers then wraps around silently, while tests, which run in the debug profile, still panic. An " +
      "attacker who controls one sum or difference ends up with a huge balance, allowance or weight.",
    remediation:
      "Set `overflow-checks = true` under `[profile.release]` in the Cargo.toml of the workspace; Cargo ignores " +
      "the profiles of its members. Use `Uint128` or `checked_` methods for amounts as well.",
    references: ["https://doc.rust-lang.org/cargo/reference/profiles.html#overflow-checks"],
  },
  check: (program, report) => {
    const reported = new Set<string>()
    for (const { crate, project } of program.crates) {
      const path = crate.files[0]?.file.path
      const manifest = path === undefined ? undefined : profileManifest(project.manifests, path)
      if (manifest?.overflowChecks !== false || reported.has(manifest.file.path)) continue
      reported.add(manifest.file.path)
      const { text } = manifest.file
      const table = Math.max(0, text.indexOf("[profile.release]"))
      const start = Math.max(0, text.indexOf("overflow-checks", table))
      report({
        file: manifest.file,
        span: { start, end: start + "overflow-checks".length },
        scope: "profile.release",
      })
    }
  },
  examples: {
    file: "Cargo.toml",
    vulnerable: [
      `[workspace]
members = ["contracts/*"]

[profile.release]
opt-level = 3
overflow-checks = false # FINDING
`,
      `[profile.dev]
overflow-checks = true

[profile.release]
overflow-checks = false # FINDING
lto = true

[workspace]
members = ["contracts/example"]
`,
    ],
    safe: [
      `[workspace]
members = ["contracts/*"]

[profile.dev]
overflow-checks = false

[profile.release]
overflow-checks = true
`,
      `[workspace]
members = ["packages/*"]

[profile.release]
overflow-checks = false
`,
    ],
  },
}
