/** How an engine is run on a folder; its output is SARIF, or JSON that `asSarif` understands. */
export interface Preset {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** The location of the report, below the folder; standard output if absent. */
  readonly output?: string
  /**
   * Does not accept a folder: the paths of sources with this ending follow its options, at most `maxSources` of them.
   */
  readonly sources?: string
  /** Downloads its rules; every other engine runs without network if the system allows it. */
  readonly needsNetwork?: true
}

/** For an engine that is called with paths, because systems limit the length of a command. */
export const maxSources = 500

/**
 * Engines by the name under which an operator enables them. All but Semgrep run build tools or plugins that the
 * repository configures, and thereby arbitrary code.
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
  // Symbolic execution: without its own limit, it would spend all of ours on the first contract.
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
