import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const manifest = fileURLToPath(new URL("Cargo.toml", import.meta.url))
const target = fileURLToPath(new URL("../../../node_modules/.cache/rust-oracle", import.meta.url))

export type SynResult = { readonly path: string; readonly inventory: ReadonlyArray<string> } | SynFailure
interface SynFailure {
  readonly path: string
  readonly error: string
}

/** What `syn` reads in each file; builds the oracle first, which needs cargo (30 s, then nothing). */
export const readWithSyn = (paths: ReadonlyArray<string>): ReadonlyArray<SynResult> => {
  const args = ["run", "--quiet", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target]
  const output = execFileSync("cargo", args, {
    input: paths.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 30,
    timeout: 600_000,
  })
  return output
    .trim()
    .split("\n")
    .map((line): SynResult => {
      const result: { path: string; error: string } | { path: string; inventory: ReadonlyArray<string> } =
        JSON.parse(line)
      return "error" in result ? result : { path: result.path, inventory: result.inventory.toSorted() }
    })
}
