import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Severity } from "../../finding/Severity.ts"
import type { RuleExamples } from "../Rule.ts"

const source = 'source = "registry+https://github.com/rust-lang/crates.io-index"\n'

const block = (name: string, version: string, needs: ReadonlyArray<string>, flagged = false): string =>
  `[[package]]\nname = "${name}"\nversion = "${version}"${flagged ? " # FINDING" : ""}\n` +
  (name === "example" || name === "client" ? "" : source) +
  (needs.length === 0 ? "" : `dependencies = [\n${needs.map((need) => ` "${need}",\n`).join("")}]\n`)

const cargoLock = (...blocks: ReadonlyArray<string>): string => `version = 4\n\n${blocks.join("\n")}`

/** For each severity, a crate with a bundled advisory: an affected version, and an unaffected one. */
const crates: Record<Severity, readonly [name: string, affected: string, fine: string]> = {
  critical: ["libsecp256k1", "0.4.0", "0.7.1"],
  high: ["serde-json-wasm", "1.0.0", "1.0.1"],
  medium: ["ed25519-dalek", "1.0.1", "2.1.1"],
  low: ["borsh", "0.10.3", "0.10.4"],
  informational: ["bincode", "1.3.3", ""],
}

const crateExamples = (framework: string, severity: Severity): RuleExamples => {
  const [name, affected, fine] = crates[severity]
  const program = block("example", "0.1.0", [framework])
  const replacement: readonly [string, string] = fine === "" ? ["wincode", "0.2.5"] : [name, fine]
  return {
    file: "Cargo.lock",
    vulnerable: [
      cargoLock(program, block(framework, "0.30.1", [name]), block(name, affected, [], true)),
      cargoLock(
        program,
        block(framework, "0.30.1", ["fixed-math"]),
        block("fixed-math", "1.2.0", [name]),
        block(name, affected, [], true),
      ),
    ],
    safe: [
      cargoLock(program, block(framework, "0.30.1", [replacement[0]]), block(...replacement, [])),
      // Only a client needs it, so none of it is deployed.
      cargoLock(program, block(framework, "0.30.1", []), block("client", "0.1.0", [name]), block(name, affected, [])),
    ],
  }
}

const yarnEntry = (name: string, version: string, flagged: boolean): string =>
  `"${name}@${version}":\n  version "${version}"${flagged ? " # FINDING" : ""}\n` +
  `  resolved "https://registry.yarnpkg.com/${name}/-/contracts-${version}.tgz"\n`

const yarnLock = (...entries: ReadonlyArray<string>): string => `# yarn lockfile v1\n\n\n${entries.join("\n")}`

const openZeppelin = "@openzeppelin/contracts"

const releases: Record<Exclude<Severity, "informational">, readonly [string, string]> = {
  critical: ["4.3.0", "4.2.0"],
  high: ["4.7.2", "4.8.2"],
  medium: ["4.9.4", "4.8.3"],
  low: ["4.9.5", "5.0.1"],
}

const packageJson = (requirement: string, flagged: boolean): string =>
  `{\n  "dependencies": {\n    "${openZeppelin}": "${requirement}"${flagged ? " // FINDING" : ""}\n  }\n}\n`

const packageExamples = (severity: Severity): RuleExamples =>
  severity === "informational"
    ? {
        file: "package.json",
        vulnerable: [packageJson("^4.7.0", true), packageJson("5.0.x", true)],
        safe: [packageJson("^5.4.0", false), packageJson("~4.9.6", false)],
      }
    : {
        file: "yarn.lock",
        vulnerable: [
          yarnLock(yarnEntry(openZeppelin, releases[severity][0], true)),
          yarnLock(
            yarnEntry("@scope/build-tool", "1.0.0", false),
            yarnEntry(openZeppelin, releases[severity][1], true),
          ),
        ],
        safe: [
          yarnLock(yarnEntry(openZeppelin, "5.4.0", false)),
          // No contract imports it.
          yarnLock(
            yarnEntry(openZeppelin, "5.4.0", false),
            yarnEntry(`${openZeppelin}-upgradeable`, releases[severity][0], false),
          ),
        ],
      }

/** Examples of the rule that reports advisories of one severity. */
export const advisoryExamples = (ecosystem: Ecosystem, severity: Severity): RuleExamples =>
  ecosystem === "evm"
    ? packageExamples(severity)
    : crateExamples(ecosystem === "solana" ? "anchor-lang" : "cw-storage-plus", severity)
