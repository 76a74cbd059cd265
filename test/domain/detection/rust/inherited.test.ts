import { describe, expect, it } from "vitest"
import { readManifest, withInherited } from "../../../../domain/detection/rust/crate/manifest.ts"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"

/** The dependencies of each manifest, with what workspaces say of them. */
const dependenciesOf = (files: Record<string, string>): Record<string, ReadonlyArray<string>> =>
  Object.fromEntries(
    withInherited(Object.entries(files).map(([path, text]) => readManifest(sourceFile(path, text)))).map(
      ({ file, dependencies }) => [
        file.path,
        dependencies.map(
          ({ name, package: crate, version, path, features, optional, kind }) =>
            `${kind} ${name}=${crate} ${version ?? path ?? "?"} [${features.join()}]${optional ? " optional" : ""}`,
        ),
      ],
    ),
  )

const workspace = `[workspace]
members = ["*"]
[workspace.dependencies]
tank = { package = "the-tank", path = "tank", features = ["cpi"] }
anchor-lang = "0.30"
`

describe("dependencies that a workspace states", () => {
  it("are those of the nearest workspace above, with the member's own features, kind and option", () => {
    expect(
      dependenciesOf({
        "Cargo.toml": workspace.replace("0.30", "0.29"),
        "a/Cargo.toml": workspace,
        "a/pool/Cargo.toml": `[package]
name = "pool"
[dependencies]
tank = { workspace = true, features = ["no-entrypoint"], optional = true }
anchor-lang.workspace = true
[dev-dependencies]
other = { workspace = true }`,
        "b/Cargo.toml": `[package]
name = "b"
[dependencies]
anchor-lang.workspace = true
tank = "1.0"`,
      }),
    ).toEqual({
      "Cargo.toml": [],
      "a/Cargo.toml": [],
      "a/pool/Cargo.toml": [
        "normal tank=the-tank a/tank [cpi,no-entrypoint] optional",
        "normal anchor-lang=anchor-lang 0.30 []",
        "dev other=other ? []",
      ],
      "b/Cargo.toml": ["normal anchor-lang=anchor-lang 0.29 []", "normal tank=tank 1.0 []"],
    })
  })

  it("are unknown without a workspace", () => {
    expect(dependenciesOf({ "Cargo.toml": `[dependencies]\ntank = { workspace = true }` })).toEqual({
      "Cargo.toml": ["normal tank=tank ? []"],
    })
  })
})
