import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runEngine } from "../../adapters/external/runEngine.ts"
import { ruleMetas } from "../../domain/detection/catalog.ts"
import { classOf, detectorClasses } from "../../domain/external/detectorClasses.ts"
import { mergeRuns } from "../../domain/external/mergeRuns.ts"
import { type Preset, presets } from "../../domain/external/presets.ts"
import { withoutClass } from "./withoutClass.ts"

let folder = ""
let tools = ""
const hasCargo = spawnSync("cargo", ["clippy", "--version"]).status === 0

/** The path of a program; undefined if it is not in PATH. */
const which = (program: string): string | undefined => {
  const { status, stdout } = spawnSync("/bin/sh", ["-c", 'command -v "$1"', "sh", program], { encoding: "utf8" })
  return status === 0 ? realpathSync(stdout.trim()) : undefined
}

/**
 * Installs a missing Python program into a separate folder, because Mythril and Semgrep require different versions of the same
 * packages.
 */
const python = (program: string, packages: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (which(program) !== undefined) return []
  const own = join(tools, program)
  execFileSync("python3", ["-m", "venv", own])
  execFileSync(join(own, "bin/pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages])
  return [join(own, "bin")]
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-engines-"))
  tools = join(folder, "tools")
  await mkdir(join(tools, "bin"), { recursive: true })
  if (which("solhint") === undefined)
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "solhint@5.2.0"], { cwd: tools })
  const solc = fileURLToPath(new URL("solc.ts", import.meta.url))
  writeFileSync(join(tools, "bin/solc"), `#!/bin/sh\nexec "${process.execPath}" "${solc}" "$@"\n`)
  chmodSync(join(tools, "bin/solc"), 0o755)
  process.env["PATH"] = [
    join(tools, "bin"),
    join(tools, "node_modules/.bin"),
    ...python("slither", ["slither-analyzer==0.11.6"]),
    ...python("semgrep", ["semgrep==1.182.0"]),
    ...python("myth", ["mythril==0.24.8", "setuptools==68.0.0"]),
    process.env["PATH"],
  ].join(delimiter)
}, 1_200_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const project = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
  const root = join(folder, name)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

const contract = `pragma solidity 0.8.30;
contract A {
    address owner;
    mapping(address => uint256) balances;
    function f() external { require(tx.origin == owner); }
    function withdraw() external {
        (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
        require(ok);
        balances[msg.sender] = 0;
    }
}
`

const found = async (preset: Preset, root: string) =>
  mergeRuns([], await Effect.runPromise(runEngine(preset, root)), ruleMetas).findings

const finding = (ruleId: string, file: string, lineStart: number) =>
  expect.objectContaining({ ruleId, location: expect.objectContaining({ file, lineStart }) })

describe("real engines", () => {
  it("slither", async () => {
    const findings = await found(presets["slither"]!, await project("slither", { "A.sol": contract }))
    expect(findings).toContainEqual(finding("external/slither/reentrancy/reentrancy-eth", "A.sol", 6))
    expect(findings).toContainEqual(finding("external/slither/authorization/tx-origin", "A.sol", 5))
  })

  it("mythril", async () => {
    const findings = await found(presets["mythril"]!, await project("mythril", { "A.sol": contract }))
    expect(findings).toContainEqual(finding("external/mythril/authorization/swc-115", "A.sol", 5))
  })

  it("semgrep", async () => {
    const root = await project("semgrep", {
      "src/A.sol": contract,
      "rules/tx-origin-authentication.yaml":
        "rules:\n  - id: tx-origin-authentication\n    languages: [solidity]\n    severity: ERROR\n    message: m\n    pattern: tx.origin\n",
    })
    const { args, needsNetwork: _, ...preset } = presets["semgrep"]!
    // Instead of the registry, which needs the network, a folder of rules.
    const local = { ...preset, args: args.map((one) => (one === "p/smart-contracts" ? "rules" : one)) }
    expect(await found(local, root)).toContainEqual(
      finding("external/semgrep-oss/authorization/tx-origin-authentication", "src/A.sol", 5),
    )
  })

  it("solhint", async () => {
    const root = await project("solhint", {
      ".solhint.json": '{ "extends": "solhint:recommended", "rules": { "avoid-tx-origin": "warn" } }',
      "src/A.sol": contract,
    })
    expect(await found(presets["solhint"]!, root)).toContainEqual(
      finding("external/solhint/authorization/avoid-tx-origin", "src/A.sol", 5),
    )
  })

  it.runIf(hasCargo)("clippy", async () => {
    const root = await project("rust", {
      "Cargo.toml":
        '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n[lints.clippy]\nunwrap_used = "warn"\n',
      "src/lib.rs": "pub fn f(x: Option<u8>) -> u8 {\n    x.unwrap()\n}\n",
    })
    expect(await found(presets["clippy"]!, root)).toEqual([
      finding("external/clippy/denial-of-service/unwrap-used", "src/lib.rs", 2),
    ])
  })
})

/** The checks that an engine lists. */
const lists: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  slither: () =>
    // The documented output of `--list-detectors-json`.
    (
      JSON.parse(execFileSync("slither", ["--list-detectors-json"], { encoding: "utf8" })) as ReadonlyArray<{
        readonly check: string
      }>
    ).map(({ check }) => check),
  solhint: () => {
    const rules = join(dirname(which("solhint")!), "lib/rules")
    return readdirSync(rules, { recursive: true, encoding: "utf8" }).flatMap((path) => {
      const named = path.endsWith(".js")
        ? /const ruleId = '([\w-]+)'/.exec(readFileSync(join(rules, path), "utf8"))
        : null
      return named?.[1] ?? []
    })
  },
  mythril: () => {
    const interpreter = readFileSync(which("myth")!, "utf8").split("\n", 1)[0]!.slice(2)
    const script =
      "from mythril.analysis.module.loader import ModuleLoader\nfor m in ModuleLoader().get_detection_modules(): print(m.swc_id)"
    const said = execFileSync(interpreter, ["-W", "ignore", "-c", script], { encoding: "utf8" })
    return [...said.matchAll(/\d{3}/g)].map(([id]) => `swc-${id}`)
  },
  // It cannot be installed from a package registry; a variable names the place in its sources that lists its detectors.
  ...(process.env["ASSAY_ADERYN_DETECTORS"] === undefined
    ? {}
    : {
        aderyn: () => {
          const list = /^define_detectors! \{([^}]*)\}/m.exec(
            readFileSync(process.env["ASSAY_ADERYN_DETECTORS"]!, "utf8"),
          )
          return (list?.[1] ?? "").split(",").flatMap((name) => {
            const words = name.trim().match(/[A-Z]+\d*(?![a-z])|[A-Z][a-z\d]*/g)
            return words === null ? [] : [words.join("-").toLowerCase()]
          })
        },
      }),
  // Its registry consists of files, whose folder a variable names.
  ...(process.env["ASSAY_SEMGREP_RULES"] === undefined
    ? {}
    : {
        semgrep: () =>
          readdirSync(process.env["ASSAY_SEMGREP_RULES"]!, { recursive: true, encoding: "utf8" })
            .filter((path) => path.endsWith(".yaml"))
            .flatMap((path) => {
              const text = readFileSync(join(process.env["ASSAY_SEMGREP_RULES"]!, path), "utf8")
              return [...text.matchAll(/^\s*-?\s*id:\s*([\w-]+)/gm)].map(([, id]) => id!)
            }),
      }),
}

describe("the checks of an engine", () => {
  it.each(Object.keys(lists))("of %s each have one of our classes, or none on purpose", (engine) => {
    const all = new Set(lists[engine]!())
    const without = new Set(withoutClass[engine])
    expect(all.size).toBeGreaterThan(5)
    expect([...all].filter((one) => classOf(engine, one) === undefined && !without.has(one))).toEqual([])
    expect([...without].filter((one) => classOf(engine, one) !== undefined)).toEqual([])
  })

  it.runIf(hasCargo)("of clippy that have a class are existing lints", () => {
    const said = spawnSync("clippy-driver", ["-W", "help"], { encoding: "utf8" }).stdout
    const lints = new Set([...said.matchAll(/clippy::([a-z0-9_-]+)/g)].map(([, lint]) => lint!.replaceAll("_", "-")))
    expect(Object.keys(detectorClasses["clippy"]!).filter((one) => !lints.has(one))).toEqual([])
  })

  it("have classes that our rules use", () => {
    const classes = new Set(ruleMetas.map((meta) => meta.class))
    for (const [engine, own] of Object.entries(detectorClasses))
      expect(
        Object.values(own).filter((one) => !classes.has(one)),
        engine,
      ).toEqual([])
  })
})
