import { describe, expect, it } from "vitest"
import type { Ecosystem } from "../../../../domain/analysis/Framework.ts"
import { readOsv } from "../../../../domain/detection/dependencies/advisories/osv.ts"
import { findVulnerabilities } from "../../../../domain/detection/dependencies/findVulnerabilities.ts"
import type { Vulnerability } from "../../../../domain/detection/dependencies/advisories/vulnerabilities.ts"
import { lineAt, type SourceFile, sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

const problems: Array<string> = []

const find = (
  ecosystem: Ecosystem,
  files: Readonly<Record<string, string>>,
  imports: ReadonlyArray<string> = [],
  osv: ReadonlyArray<object> = [],
): ReadonlyArray<Vulnerability> => {
  const project = {
    paths: new Set(Object.keys(files)),
    file: (path: string) => (files[path] === undefined ? undefined : sourceFile(path, files[path])),
    read: <A>(path: string, reader: (file: SourceFile) => A) =>
      files[path] === undefined ? undefined : reader(sourceFile(path, files[path])),
    problem: (path: string, reason: string) => void problems.push(`${path} ${reason}`),
    advisories: osv.flatMap((entry) => readOsv(entry) ?? []),
  }
  return findVulnerabilities(ecosystem, project, imports)
}

const shown = (found: ReadonlyArray<Vulnerability>): ReadonlyArray<string> =>
  found.map(({ use, version, concerns, severity, confidence }) => {
    const { file, span } = use.place
    return `${file.path}:${lineAt(file, span.start)} ${use.name} ${version} ${concerns[0].advisory.id} ${severity} ${confidence}`
  })

const registry = 'source = "registry+https://github.com/rust-lang/crates.io-index"'
const locked = (name: string, version: string, needs: ReadonlyArray<string> = [], own = false): string =>
  `[[package]]\nname = "${name}"\nversion = "${version}"\n${own ? "" : `${registry}\n`}dependencies = [\n${needs.map((need) => ` "${need}",\n`).join("")}]\n\n`
const program = (dependencies: string, name = "vault"): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n\n[lib]\ncrate-type = ["cdylib", "lib"]\n\n[dependencies]\n${dependencies}`

describe("crates", () => {
  it("count if a program links them, at the line that pins the version", () => {
    const found = find("solana", {
      "programs/vault/Cargo.toml": program('anchor-lang = "0.30"\n'),
      "programs/vault/src/lib.rs": "",
      "Cargo.lock":
        locked("vault", "0.1.0", ["anchor-lang"], true) +
        locked("anchor-lang", "0.30.1", ["serde-json-wasm"]) +
        locked("serde-json-wasm", "1.0.0"),
    })
    expect(shown(found)).toEqual(["Cargo.lock:18 serde-json-wasm 1.0.0 RUSTSEC-2024-0012 high medium"])
    expect(found[0]).toMatchObject({ fixed: "1.0.1", use: { route: ["vault", "anchor-lang"] } })
  })

  it("do not count for clients, tests, build scripts, disabled features and other hosts", () => {
    const files = {
      "programs/vault/Cargo.toml": `${program('anchor-lang = "0.30"\nserde-json-wasm = { version = "1", optional = true }\n')}
[dev-dependencies]
ed25519-dalek = "1"
[build-dependencies]
libsecp256k1 = "0.4"
[target.'cfg(not(target_os = "solana"))'.dependencies]
borsh = "0.10"
`,
      "programs/vault/src/lib.rs": "",
      "cli/Cargo.toml":
        '[package]\nname = "cli"\n[dependencies]\nsolana-client = "1.18"\nsolana-program = "1.18"\ncurve25519-dalek = "3"\n',
      "Cargo.lock":
        locked("vault", "0.1.0", ["anchor-lang", "serde-json-wasm", "ed25519-dalek", "libsecp256k1", "borsh"], true) +
        locked("cli", "0.1.0", ["curve25519-dalek", "solana-program"], true) +
        locked("anchor-lang", "0.30.1", ["solana-program"]) +
        locked("solana-program", "1.18.26", ["curve25519-dalek"]) +
        locked("serde-json-wasm", "1.0.0") +
        locked("ed25519-dalek", "1.0.1") +
        locked("libsecp256k1", "0.4.0") +
        locked("borsh", "0.10.3") +
        locked("curve25519-dalek", "3.2.1"),
    }
    expect(shown(find("solana", files))).toEqual([])
  })

  it("count if the default features enable them", () => {
    const manifest = `${program('cosmwasm-std = "2.2"\nserde-json-wasm = { version = "=1.0.0", optional = true }\n')}\n[features]\ndefault = ["json"]\njson = ["dep:serde-json-wasm"]\n`
    expect(shown(find("cosmwasm", { "Cargo.toml": manifest }))).toEqual([
      "Cargo.toml:10 serde-json-wasm 1.0.0 RUSTSEC-2024-0012 high medium",
    ])
  })

  it("are found through another member of the workspace", () => {
    const files = {
      "contracts/vault/Cargo.toml": program('cosmwasm-std = "2.2"\nshared = { path = "../../packages/shared" }\n'),
      "packages/shared/Cargo.toml":
        '[package]\nname = "shared"\n[dependencies]\nserde-json-wasm = "1"\n[dev-dependencies]\ned25519-dalek = "1"\n',
      "Cargo.lock":
        locked("vault", "0.1.0", ["cosmwasm-std", "shared"], true) +
        locked("shared", "0.1.0", ["serde-json-wasm", "ed25519-dalek"], true) +
        locked("cosmwasm-std", "2.2.0") +
        locked("serde-json-wasm", "1.0.0") +
        locked("ed25519-dalek", "1.0.1"),
    }
    expect(find("cosmwasm", files).map(({ use }) => [use.name, use.route])).toEqual([
      ["serde-json-wasm", ["vault", "shared"]],
    ])
  })

  const sharing = (asks: string) => ({
    "contracts/vault/Cargo.toml": program(`cosmwasm-std = "2.2"\nshared = ${asks}\n`),
    "packages/shared/Cargo.toml":
      '[package]\nname = "shared"\n[dependencies]\nold-json = { package = "serde-json-wasm", version = "1.0.0", optional = true }\n' +
      '[features]\ndefault = ["text"]\ntext = ["old-json?/std", "dep:old-json"]\nmore = ["text"]\n',
    "Cargo.lock":
      locked("vault", "0.1.0", ["cosmwasm-std", "shared"], true) +
      locked("shared", "0.1.0", ["serde-json-wasm"], true) +
      locked("cosmwasm-std", "2.2.0") +
      locked("serde-json-wasm", "1.0.0"),
  })

  it.each([
    ['{ path = "../../packages/shared" }', 1],
    ['{ path = "../../packages/shared", default-features = false }', 0],
    ['{ path = "../../packages/shared", default-features = false, features = ["more"] }', 1],
  ])("of another member count by the features that are asked of it: shared = %s", (asks, count) => {
    const { "Cargo.lock": lock, ...manifests } = sharing(asks)
    expect(find("cosmwasm", { ...manifests, "Cargo.lock": lock })).toHaveLength(count)
    // 1.0.1 fits as well if nothing is pinned.
    expect(find("cosmwasm", manifests).map(({ severity }) => severity)).toEqual(count === 1 ? ["informational"] : [])
  })

  it("count in the program's version if tests require another one", () => {
    const files = {
      "Cargo.toml": `${program('cosmwasm-std = "2.2"\ned25519-dalek = "2"\n')}[dev-dependencies]\nold = { package = "ed25519-dalek", version = "1" }\n`,
      "Cargo.lock":
        locked("vault", "0.1.0", ["cosmwasm-std", "ed25519-dalek 1.0.1", "ed25519-dalek 2.1.1"], true) +
        locked("cosmwasm-std", "2.2.0") +
        locked("ed25519-dalek", "1.0.1") +
        locked("ed25519-dalek", "2.1.1"),
    }
    expect(find("cosmwasm", files)).toEqual([])
  })

  it("of a library next to the programs do not count if no program links it", () => {
    const files = {
      "programs/vault/Cargo.toml": program('anchor-lang = "0.30"\n'),
      "sdk/Cargo.toml": '[package]\nname = "sdk"\n[dependencies]\nanchor-lang = "0.30"\ned25519-dalek = "=1.0.1"\n',
    }
    expect(find("solana", files)).toEqual([])
    expect(find("solana", { "sdk/Cargo.toml": files["sdk/Cargo.toml"] })).toHaveLength(1)
  })

  it("of several lock files count in each", () => {
    const one = (folder: string) => ({
      [`${folder}/Cargo.toml`]: program('cosmwasm-std = "1.5"\n'),
      [`${folder}/Cargo.lock`]: locked("vault", "0.1.0", ["cosmwasm-std"], true) + locked("cosmwasm-std", "1.5.3"),
    })
    expect(shown(find("cosmwasm", { ...one("a"), ...one("b") }))).toEqual([
      "a/Cargo.lock:10 cosmwasm-std 1.5.3 RUSTSEC-2024-0338 low high",
      "b/Cargo.lock:10 cosmwasm-std 1.5.3 RUSTSEC-2024-0338 low high",
    ])
  })

  it("without a lock file count by their requirement: as a notice if a fixed version satisfies it, fully otherwise", () => {
    const files = {
      "a/Cargo.toml": program('cosmwasm-std = "1.5.0"\n'),
      "b/Cargo.toml": program('cosmwasm-std = "=1.5.3"\n'),
      "c/Cargo.toml": program('cosmwasm-std = "2.2"\ned25519-dalek = { version = "1.0" }\n'),
      "d/Cargo.toml": program('cosmwasm-std = "1.5.4"\n'),
    }
    expect(shown(find("cosmwasm", files))).toEqual([
      "a/Cargo.toml:9 cosmwasm-std 1.5.0 RUSTSEC-2024-0338 informational low",
      "b/Cargo.toml:9 cosmwasm-std 1.5.3 RUSTSEC-2024-0338 low medium",
      "c/Cargo.toml:10 ed25519-dalek 1.0 RUSTSEC-2022-0093 medium medium",
    ])
  })

  it("are found where the workspace states their version", () => {
    const files = {
      "Cargo.toml":
        '[workspace]\nmembers = ["vault"]\n\n[workspace.dependencies]\ncosmwasm-std = { version = "=1.5.3" }\n',
      "vault/Cargo.toml": program("cosmwasm-std.workspace = true\n"),
    }
    expect(shown(find("cosmwasm", files))).toEqual(["Cargo.toml:5 cosmwasm-std 1.5.3 RUSTSEC-2024-0338 low medium"])
  })

  it("from a path or a repository are not the registry's", () => {
    const files = {
      "Cargo.toml": program('cosmwasm-std = { path = "../std" }\n'),
      "Cargo.lock": locked("vault", "0.1.0", ["cosmwasm-std"], true) + locked("cosmwasm-std", "1.5.3", [], true),
    }
    expect(find("cosmwasm", files)).toEqual([])
  })
})

const oz = "@openzeppelin/contracts"
const imported = [`${oz}/utils/Base64.sol`, `${oz}/utils/Multicall.sol`]

describe("packages", () => {
  const packageLock = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages }, null, 1)

  it("count if contracts import them, whatever table lists them", () => {
    const files = {
      "package.json": JSON.stringify({ devDependencies: { [oz]: "^4.9.0", semver: "5.0.0" } }),
      "package-lock.json": packageLock({
        [`node_modules/${oz}`]: { version: "4.9.4" },
        "node_modules/semver": { version: "5.0.0" },
      }),
    }
    const osv = [
      {
        id: "GHSA-js",
        affected: [
          {
            package: { ecosystem: "npm", name: "semver" },
            ranges: [{ type: "SEMVER", events: [{ introduced: "0" }] }],
          },
        ],
      },
    ]
    expect(shown(find("evm", files, imported, osv))).toEqual([
      `package-lock.json:5 ${oz} 4.9.4 GHSA-699g-q6qh-q4v8 medium high`,
      `package-lock.json:5 ${oz} 4.9.4 GHSA-9vx6-7xxf-x967 low high`,
    ])
  })

  it("are doubtful if they contain contracts that nothing imports, and ignored if for tests", () => {
    const lock = { "package-lock.json": packageLock({ [`node_modules/${oz}`]: { version: "4.9.5" } }) }
    const by = (table: string) =>
      find("evm", { ...lock, "package.json": JSON.stringify({ [table]: { [oz]: "4.9.5" } }) })
    expect(shown(by("dependencies"))).toEqual([`package-lock.json:5 ${oz} 4.9.5 GHSA-9vx6-7xxf-x967 low low`])
    expect(by("devDependencies")).toEqual([])
  })

  it("inside a library of contracts count, but its scripts do not", () => {
    const files = {
      "package-lock.json": packageLock({
        "node_modules/@acme/contracts": { version: "1.0.0", dependencies: { [oz]: "4.9.5", semver: "5.0.0" } },
        [`node_modules/@acme/contracts/node_modules/${oz}`]: { version: "4.9.5" },
        [`node_modules/${oz}`]: { version: "5.4.0" },
      }),
    }
    const found = find("evm", files, ["@acme/contracts/A.sol"])
    expect(found.map(({ use, version }) => [use.name, version, use.route])).toEqual([
      [oz, "4.9.5", ["@acme/contracts"]],
    ])
  })

  it("are found in yarn.lock, pnpm-lock.yaml and a bare package.json alike", () => {
    const manifest = JSON.stringify({ dependencies: { [oz]: "4.9.5" } }, null, 1)
    const yarn = `# yarn lockfile v1\n\n"${oz}@4.9.5":\n  version "4.9.5"\n`
    const pnpm = `lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies:\n      '${oz}':\n        specifier: 4.9.5\n        version: 4.9.5\n\npackages:\n\n  '${oz}@4.9.5':\n    resolution: {}\n`
    const places = [{ "yarn.lock": yarn }, { "pnpm-lock.yaml": pnpm }, {}].map((lock) =>
      find("evm", { "package.json": manifest, ...lock }, imported).map(
        ({ use: { place } }) => `${place.file.path}:${lineAt(place.file, place.span.start)}`,
      ),
    )
    expect(places).toEqual([["yarn.lock:4"], ["pnpm-lock.yaml:12"], ["package.json:3"]])
  })

  it("in node_modules and third-party libraries are not the project's", () => {
    const files = {
      "node_modules/x/package.json": JSON.stringify({ dependencies: { [oz]: "4.9.5" } }),
      "lib/y/package.json": JSON.stringify({ dependencies: { [oz]: "4.9.5" } }),
      "foundry.toml": "",
    }
    expect(find("evm", files, imported)).toEqual([])
  })
})

describe("git submodules", () => {
  const gitmodules = (branch = ""): string =>
    `[submodule "lib/openzeppelin-contracts"]\n\tpath = lib/openzeppelin-contracts\n\turl = https://github.com/OpenZeppelin/openzeppelin-contracts\n${branch}`

  it("are identified by the tag in foundry.lock, by their package.json, or by the branch", () => {
    const tag = JSON.stringify({ "lib/openzeppelin-contracts": { tag: { name: "v4.9.5", rev: "bd325d5" } } }, null, 1)
    const described = JSON.stringify({ name: "openzeppelin-solidity", version: "4.9.5" })
    const found = [
      { "foundry.lock": tag, ".gitmodules": gitmodules("\tbranch = v5.4.0\n") },
      { "lib/openzeppelin-contracts/package.json": described, ".gitmodules": gitmodules() },
      { ".gitmodules": gitmodules("\tbranch = v4.9.5\n") },
      { ".gitmodules": gitmodules("\tbranch = master\n") },
      { ".gitmodules": gitmodules() },
    ].map((files) => shown(find("evm", { "foundry.toml": "", ...files }, imported)))
    const rest = `${oz} 4.9.5 GHSA-9vx6-7xxf-x967 low high`
    expect(found).toEqual([[`foundry.lock:4 ${rest}`], [`.gitmodules:2 ${rest}`], [`.gitmodules:4 ${rest}`], [], []])
  })

  it("without a version are matched only by their exact commit", () => {
    const lock = (rev: string) => JSON.stringify({ "lib/solmate": { rev } })
    const ranges = [
      { type: "GIT", repo: "https://github.com/a/solmate", events: [{ introduced: "aaaa" }, { fixed: "cccc" }] },
    ]
    const osv = [{ id: "X-1", affected: [{ package: { ecosystem: "npm", name: "solmate" }, ranges }] }]
    expect(shown(find("evm", { "foundry.lock": lock("aaaa") }, ["solmate/a.sol"], osv))).toEqual([
      "foundry.lock:1 solmate aaaa X-1 medium high",
    ])
    expect(find("evm", { "foundry.lock": lock("cccc") }, ["solmate/a.sol"], osv)).toEqual([])
  })
})

describe("Soldeer", () => {
  const git = "https://github.com/OpenZeppelin/openzeppelin-contracts.git"
  const lock = `[[dependencies]]\nname = "@openzeppelin-contracts-upgradeable"\nversion = "4.9.2"\nurl = "https://example.com/a.zip"\n\n[[dependencies]]\nname = "oz"\nversion = "4.9.4"\ngit = "${git}"\nrev = "bd325d5"\n`

  it("packages count at the line of the lock file that pins them, whatever the project calls them", () => {
    const files = {
      "foundry.toml": '[profile.default]\nremappings = ["@oz/=dependencies/oz-4.9.4/"]\n[dependencies]\noz = "1"\n',
      "soldeer.lock": lock,
    }
    const paths = [
      "@openzeppelin-contracts-upgradeable-4.9.2/metatx/ERC2771ContextUpgradeable.sol",
      "@oz/contracts/utils/Multicall.sol",
    ]
    expect(shown(find("evm", files, paths))).toEqual([
      `soldeer.lock:3 ${oz}-upgradeable 4.9.2 GHSA-g4vp-m682-qqmp medium high`,
      `soldeer.lock:3 ${oz}-upgradeable 4.9.2 GHSA-9vx6-7xxf-x967 low low`,
      `soldeer.lock:8 ${oz} 4.9.4 GHSA-699g-q6qh-q4v8 medium high`,
      `soldeer.lock:8 ${oz} 4.9.4 GHSA-9vx6-7xxf-x967 low low`,
    ])
  })

  it("packages count without a lock by what foundry.toml or soldeer.toml ask for", () => {
    const ask = (name: string, table: string) =>
      shown(find("evm", { [name]: `${table}\n` }, ["@openzeppelin-contracts-4/utils/Base64.sol"]))
    const found = `${oz} 4.9.5 GHSA-9vx6-7xxf-x967 low high`
    expect(ask("foundry.toml", '[dependencies]\n"@openzeppelin-contracts" = "4.9.5"')).toEqual([
      `foundry.toml:2 ${found}`,
    ])
    expect(ask("soldeer.toml", `[dependencies]\nopenzeppelin = { version = "4.9.5", git = "${git}" }`)).toEqual([
      "soldeer.toml:2 " + found.replace("high", "medium"),
    ])
    expect(ask("foundry.toml", "[dependencies.'@openzeppelin-contracts']\nversion = '~4.9.5'")).toEqual([
      `foundry.toml:2 ${oz} ~4.9.5 GHSA-9vx6-7xxf-x967 informational medium`,
    ])
    expect(ask("foundry.toml", '[dependencies]\n"@openzeppelin-contracts" = "4.9.6"')).toEqual([])
  })
})

describe("files that cannot be read", () => {
  it("are named with a reason and cost themselves only", () => {
    problems.length = 0
    const files = {
      "package.json": "{",
      "package-lock.json": "[1]",
      "foundry.lock": "nonsense",
      "soldeer.lock": "nonsense",
      "sub/package.json": JSON.stringify({ dependencies: { [oz]: "4.9.5" } }),
    }
    expect(shown(find("evm", files, imported))).toHaveLength(1)
    expect(problems.toSorted().map((one) => one.replace(/:.*/, ""))).toEqual([
      "foundry.lock is not JSON",
      "package-lock.json is not a package-lock.json",
      "package.json is not JSON",
      "soldeer.lock is not a soldeer.lock",
    ])
  })
})

describe("modules of a package", () => {
  it("that hold a problem and are not imported make it doubtful and no less severe, where all that is imported is known", () => {
    const files = { "package.json": JSON.stringify({ dependencies: { [oz]: "4.9.4" } }) }
    const confidences = (path: string) =>
      find("evm", files, [`${oz}/${path}`]).map(({ concerns, severity, confidence }) => [
        concerns[0].advisory.id,
        severity,
        confidence,
      ])
    expect(confidences("utils/Multicall.sol")).toEqual([
      ["GHSA-699g-q6qh-q4v8", "medium", "high"],
      ["GHSA-9vx6-7xxf-x967", "low", "low"],
    ])
    const hidden = find("evm", files, [`${oz}/access/Ownable.sol`, "@acme/contracts/A.sol"])
    expect(hidden.map(({ severity, confidence }) => [severity, confidence])).toEqual([
      ["medium", "high"],
      ["low", "high"],
    ])
  })
})

describe("hostile manifests", () => {
  it("whose packages form one long chain are read quickly, and the path is shown by its end", () => {
    const length = 15_000
    const versions = Array.from({ length: 3_000 }, (_, index) => `1.0.0-${index}`)
    const link = (index: number): string =>
      locked(`a${index}`, "1.0.0", index < length ? [`a${index + 1}`] : versions.map((at) => `leaf ${at}`))
    const start = cpuTime()
    const ranges = [{ type: "SEMVER", events: [{ introduced: "0" }] }]
    const osv = [{ id: "X-1", affected: [{ package: { ecosystem: "crates.io", name: "leaf" }, ranges }] }]
    const files = {
      "programs/vault/Cargo.toml": program('anchor-lang = "0.30"\na0 = "1"\n'),
      "programs/vault/src/lib.rs": "",
      "Cargo.lock":
        locked("vault", "0.1.0", ["a0"], true) +
        Array.from({ length: length + 1 }, (_, index) => link(index)).join("") +
        versions.map((at) => locked("leaf", at)).join(""),
    }
    const found = find("solana", files, [], osv)
    expect(cpuTime() - start).toBeLessThan(5_000)
    expect(found).toHaveLength(versions.length)
    expect(found[0]!.use.route).toEqual(["…", ...Array.from({ length: 7 }, (_, index) => `a${length - 6 + index}`)])
  })

  const lines = (line: string): string => `${line}\n`.repeat(Math.floor(1_500_000 / line.length))

  it.each([
    ["Cargo.toml", `[dependencies]\n${lines(`[${" ".repeat(3_900)}`)}`],
    ["Cargo.toml", `[target.'cfg(${"not(a) ".repeat(200_000)})'.dependencies]\na = "1"\n`],
    ["Cargo.toml", `${lines(`[dependencies.${"a".repeat(1_900)}`)}`],
    [".gitmodules", `[submodule "a"]\n${lines(`path = ${"/".repeat(1_900)}a`)}`],
    ["pnpm-lock.yaml", `lockfileVersion: 9\n${lines(`${" ".repeat(3_900)}x`)}`],
    ["pnpm-lock.yaml", `lockfileVersion: 9\n${lines(":".repeat(3_900))}`],
    ["yarn.lock", `# yarn lockfile v1\n${lines(`${'"a@1", '.repeat(2_000)}:`)}`],
    ["package.json", `{"dependencies": {${'"a": "1 || ", '.repeat(100_000)}"b": "1"}}`],
    ["foundry.lock", `{"a": ${"[".repeat(1_500_000)}`],
    ["remappings.txt", lines("a=node_modules/".repeat(100))],
    ["remappings.txt", lines(`${"a/".repeat(900)}=${"lib/".repeat(900)}`)],
    ["soldeer.lock", lines('[[dependencies]]\nname = "a-1-2"\nversion = "1"')],
    ["soldeer.lock", `[[dependencies]]\n${lines(`name = "${"'".repeat(1_900)}`)}`],
    ["foundry.toml", `[dependencies]\n${lines(`${'"a".'.repeat(900)}a = 1`)}`],
    ["foundry.toml", `[dependencies]\na = ${"[{a=".repeat(300_000)}`],
    ["foundry.toml", `[dependencies]\n${lines("[[a]]")}`],
    ["Cargo.toml", lines("[[a]]")],
    ["Cargo.toml", `${lines(`[${"a.".repeat(900)}a]`)}`],
  ])("a %s made to be slow is not", (path, text) => {
    const start = cpuTime()
    find("evm", { [path]: text })
    find("solana", { [path]: text, "programs/a/Cargo.toml": program('anchor-lang = "0.30"\n') })
    expect(cpuTime() - start).toBeLessThan(5_000)
  })
})
