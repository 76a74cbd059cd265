import { describe, expect, it } from "vitest"
import { leftOut } from "../../../domain/detection/leftOut.ts"
import { isBuildOutput, isRelevant } from "../../../domain/detection/ProjectFiles.ts"
import { reportedSources, sourceRoles } from "../../../domain/detection/SourceRole.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const roles = (paths: ReadonlyArray<string>): Record<string, string> => {
  const roleOf = sourceRoles(paths)
  return Object.fromEntries(paths.map((path) => [path, roleOf(path)]))
}

const reported = (paths: ReadonlyArray<string>): ReadonlyArray<string> => paths.filter(reportedSources(paths))

describe("the role of a source file", () => {
  it("is a test if a crate stands in for another program, or shows how to call one", () => {
    expect(
      roles([
        "programs/mocks/src/lib.rs",
        "programs/mock-oracle/src/lib.rs",
        "programs/mock-staking-incentives/src/lib.rs",
        "programs/test_hook/src/lib.rs",
        "contracts/hook-tester/src/contract.rs",
        "programs/cpi_examples/src/lib.rs",
        "programs/attestation/src/lib.rs",
        "programs/contest/src/lib.rs",
      ]),
    ).toEqual({
      "programs/mocks/src/lib.rs": "test",
      "programs/mock-oracle/src/lib.rs": "test",
      "programs/mock-staking-incentives/src/lib.rs": "test",
      "programs/test_hook/src/lib.rs": "test",
      "contracts/hook-tester/src/contract.rs": "test",
      "programs/cpi_examples/src/lib.rs": "test",
      "programs/attestation/src/lib.rs": "first-party",
      "programs/contest/src/lib.rs": "first-party",
    })
  })

  it("is the project's own, wherever it is", () => {
    const paths = [
      "Vault.sol",
      "contracts/lib/SafeMath.sol",
      "src/libraries/Math.sol",
      "case0001/contracts/Target.sol",
      "lib/Helper.sol",
    ]
    expect(new Set(Object.values(roles(paths)))).toEqual(new Set(["first-party"]))
  })

  it("is a test for stand-ins, by their folder or their name", () => {
    expect(
      roles([
        "src/Vault.sol",
        "src/Mocking.sol",
        "contracts/testing/Erc20.sol",
        "contracts/test-helpers/PublicEscrow.sol",
        "contracts/strategies/MockSwapper.sol",
        "contracts/util/StrategyMock.sol",
        "contracts/adapters/Mock_Adapter.sol",
        "contracts/helper/PenaltyTest.sol",
        "contracts/Contest.sol",
        "contracts/Testament.sol",
        "contracts/helpers/TestVault.sol",
        "contracts/TestContracts/TokenTester.sol",
        "contracts/Testnet/Faucet.sol",
      ]),
    ).toEqual({
      "contracts/util/StrategyMock.sol": "test",
      "contracts/adapters/Mock_Adapter.sol": "test",
      "contracts/helper/PenaltyTest.sol": "test",
      "contracts/Contest.sol": "first-party",
      "contracts/Testament.sol": "first-party",
      "contracts/helpers/TestVault.sol": "test",
      "contracts/TestContracts/TokenTester.sol": "test",
      "contracts/Testnet/Faucet.sol": "first-party",
      "src/Vault.sol": "first-party",
      "src/Mocking.sol": "first-party",
      "contracts/testing/Erc20.sol": "test",
      "contracts/test-helpers/PublicEscrow.sol": "test",
      "contracts/strategies/MockSwapper.sol": "test",
    })
  })

  it("is a dependency in folders of package managers", () => {
    expect(
      roles([
        "foundry.toml",
        "src/Vault.sol",
        "lib/forge-std/src/Test.sol",
        "lib/odd/Odd.sol",
        "dependencies/@oz-5/token/ERC20.sol",
        "packages/a/node_modules/@oz/contracts/Ownable.sol",
        ".deps/npm/x/X.sol",
        "src/vendor/@uni/periphery/Payments.sol",
        "src/vendor/Payments.sol",
      ]),
    ).toMatchObject({
      "src/Vault.sol": "first-party",
      "lib/forge-std/src/Test.sol": "dependency",
      "lib/odd/Odd.sol": "dependency",
      "dependencies/@oz-5/token/ERC20.sol": "dependency",
      "packages/a/node_modules/@oz/contracts/Ownable.sol": "dependency",
      ".deps/npm/x/X.sol": "dependency",
      "src/vendor/@uni/periphery/Payments.sol": "dependency",
      "src/vendor/Payments.sol": "first-party",
    })
  })

  it("is a dependency in lib/ if it has a package's layout, without any configuration", () => {
    expect(roles(["lib/solmate/src/Auth.sol", "lib/math/Sqrt.sol", "A.sol"])).toEqual({
      "lib/solmate/src/Auth.sol": "dependency",
      "lib/math/Sqrt.sol": "first-party",
      "A.sol": "first-party",
    })
  })

  it("is the project's own for crates below lib/, and a dependency for vendored ones", () => {
    expect(
      roles([
        "Cargo.toml",
        "lib/core/Cargo.toml",
        "lib/core/src/lib.rs",
        "vendor/serde/Cargo.toml",
        "vendor/serde/src/lib.rs",
      ]),
    ).toMatchObject({ "lib/core/src/lib.rs": "first-party", "vendor/serde/src/lib.rs": "dependency" })
  })

  it.each([
    "test/Vault.sol",
    "contracts/mocks/Token.sol",
    "contracts/z_mocks/Token.sol",
    "src/Vault.t.sol",
    "Deploy.s.sol",
    "script/Deploy.sol",
    "tests/flow.rs",
    "program/src/tests.rs",
    "src/integration_tests.rs",
    "src/contract_test.rs",
    "fuzz/src/main.rs",
    "build.rs",
  ])("is a test: %s", (path) => {
    expect(sourceRoles([path, "Cargo.toml"])(path)).toBe("test")
  })

  it.each(["src/Contest.sol", "src/Attest.sol", "testing-ground/Vault.sol", "src/latest.rs", "src/protest/mod.rs"])(
    "is not a test: %s",
    (path) => {
      expect(sourceRoles([path])(path)).toBe("first-party")
    },
  )

  it("is a test for a crate's examples, but not for crates below examples/", () => {
    expect(
      roles([
        "Cargo.toml",
        "examples/schema.rs",
        "src/lib.rs",
        "examples/counter/Cargo.toml",
        "examples/counter/src/lib.rs",
      ]),
    ).toMatchObject({ "examples/schema.rs": "test", "examples/counter/src/lib.rs": "first-party" })
    expect(roles(["examples/counter.rs"])).toEqual({ "examples/counter.rs": "first-party" })
  })
})

describe("the reported files", () => {
  it("are the project's own next to tests and dependencies", () => {
    expect(reported(["src/A.sol", "test/A.t.sol", "node_modules/b/B.sol"])).toEqual(["src/A.sol"])
  })

  it("are the tests if the project has nothing else of its own", () => {
    expect(reported(["test/A.t.sol", "node_modules/b/B.sol"])).toEqual(["test/A.t.sol"])
  })

  it("are the dependencies if there is nothing else", () => {
    expect(reported(["node_modules/b/B.sol", "node_modules/b/C.sol"])).toHaveLength(2)
  })

  it("are all of hundreds of cases side by side", () => {
    const cases = Array.from({ length: 300 }, (_, n) => `case${n}/contracts/Target.sol`)
    expect(reported(cases)).toHaveLength(300)
  })
})

describe("project files", () => {
  it.each([
    "a/b.sol",
    "x.rs",
    "p/Cargo.toml",
    "Cargo.lock",
    "Anchor.toml",
    "foundry.toml",
    "remappings.txt",
    "hardhat.config.ts",
    "truffle-config.js",
    "package.json",
  ])("%s is needed", (path) => {
    expect(isRelevant(path)).toBe(true)
  })

  it.each(["README.md", "a.sol.bak", "logo.png", "xCargo.toml", "tsconfig.json", "rs", "src/main.ts"])(
    "%s is not",
    (path) => {
      expect(isRelevant(path)).toBe(false)
    },
  )

  it("build output is next to the configuration of the tool that generates it", () => {
    expect(isBuildOutput("target", new Set(["Cargo.toml"]))).toBe(true)
    expect(isBuildOutput("target", new Set(["Vault.sol"]))).toBe(false)
    expect(isBuildOutput("out", new Set(["foundry.toml"]))).toBe(true)
    expect(isBuildOutput("cache", new Set(["hardhat.config.ts"]))).toBe(true)
    expect(isBuildOutput("cache", new Set(["PriceCache.sol"]))).toBe(false)
    expect(isBuildOutput("src", new Set(["foundry.toml"]))).toBe(false)
  })
})

describe("files in folders nested 400 levels deep", () => {
  it.each(["a", "lib"])("get their roles in time linear in their paths, below folders called %s", (name) => {
    const folders = `${name}/`.repeat(Math.floor(800 / (name.length + 1)))
    const paths = Array.from({ length: 10_000 }, (_, n) => `${n}/${folders}lib.rs`)
    const before = cpuTime()
    const roleOf = sourceRoles(paths)
    const isReported = reportedSources(paths, roleOf)
    expect(leftOut(paths, isReported, roleOf).length).toBeLessThanOrEqual(paths.length)
    const took = cpuTime() - before
    // Takes half a second; when it was quadratic in the depth, it took twenty.
    expect(took / 1_000).toBeLessThan(5)
  })
})
