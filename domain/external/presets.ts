/** How an engine is called over a folder; what it writes is SARIF, or JSON that `asSarif` knows. */
export interface Preset {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Where the report is, below the folder; on standard output without it. */
  readonly output?: string
  /** Takes no folder: the paths of the sources with this ending follow its options, at most `maxSources` of them. */
  readonly sources?: string
  /** Fetches its rules; every other one runs without network where the system allows it. */
  readonly needsNetwork?: true
}

/** Of an engine that is called with paths: a system takes only so long a command. */
export const maxSources = 500

/**
 * Engines by the name under which an operator asks for them. All but Semgrep run build tools or plugins that the repository
 * configures, and with them whatever code it likes.
 */
export const presets: Readonly<Record<string, Preset>> = {
  slither: {
    command: "slither",
    args: [".", "--sarif", "assay-slither.sarif", "--exclude-dependencies", "--fail-none"],
    output: "assay-slither.sarif",
  },
  aderyn: {
    command: "aderyn",
    args: [".", "--output", "assay-aderyn.sarif"],
    output: "assay-aderyn.sarif",
  },
  semgrep: {
    command: "semgrep",
    args: [
      "scan",
      "--sarif",
      "--quiet",
      "--metrics=off",
      "--disable-version-check",
      "--config",
      "p/smart-contracts",
      ".",
    ],
    needsNetwork: true,
  },
  // Symbolic execution: without a limit of its own it uses up all of ours on the first contract.
  mythril: {
    command: "myth",
    args: ["analyze", "-o", "json", "--execution-timeout", "60", "--transaction-count", "2"],
    sources: ".sol",
  },
  solhint: { command: "solhint", args: ["--formatter", "sarif", "--disc", "**/*.sol"] },
  clippy: {
    command: "cargo",
    args: ["clippy", "--message-format=json", "--quiet", "--offline", "--all-targets"],
  },
}
