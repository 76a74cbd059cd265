/** How an engine is called over a folder; what it writes is SARIF, or JSON that `asSarif` knows. */
export interface Preset {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Where the report is, below the folder; on standard output without it. */
  readonly output?: string
  /** Fetches its rules; every other one runs without network where the system allows it. */
  readonly needsNetwork?: true
}

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
  solhint: { command: "solhint", args: ["--formatter", "sarif", "--disc", "**/*.sol"] },
  clippy: {
    command: "cargo",
    args: ["clippy", "--message-format=json", "--quiet", "--offline", "--all-targets"],
  },
}
