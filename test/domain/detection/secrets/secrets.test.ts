import { createECDH, createHmac } from "node:crypto"
import { mnemonicToSeedSync, validateMnemonic } from "@scure/bip39"
import { wordlist } from "@scure/bip39/wordlists/english.js"
import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../../apps/engine/frontEnds.ts"
import { examine } from "../../../../domain/detection/examine.ts"
import { isRelevant } from "../../../../domain/detection/ProjectFiles.ts"
import { developmentKeys, developmentMnemonics } from "../../../../domain/detection/secrets/developmentKeys.ts"
import { secretsIn } from "../../../../domain/detection/secrets/findSecrets.ts"
import { mask, maskedText } from "../../../../domain/detection/secrets/masked.ts"
import { sourceFile } from "../../../../domain/detection/SourceFile.ts"
import { cpuTimeOf } from "../../../support/cpuTime.ts"

const key = "436945b08fe11cd3ac60bff4a3e95b53c043c2504962d0ef7d0d028a7cf95723"
const other = "7409b07c0f685717ccd838ff2866622a5e0cd270212e5c793435f4dcdb3aec6d"
const phrase = "distance measure convince crop vault apart mass glue peasant warm copper camera"
const bytes = Array.from({ length: 64 }, (_, index) => (index * 37 + 11) % 256)

const found = (path: string, text: string): ReadonlyArray<string> =>
  secretsIn(sourceFile(path, text)).map(({ kind }) => kind)

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** BIP-32: m/44'/60'/0'/0/index of a seed. */
const account = (seed: Uint8Array, index: number): string => {
  const mac = (salt: Uint8Array | string, data: Uint8Array) => createHmac("sha512", salt).update(data).digest()
  let node = mac("Bitcoin seed", seed)
  for (const step of [0x8000002c, 0x8000003c, 0x80000000, 0, index]) {
    const own = node.subarray(0, 32)
    const ecdh = createECDH("secp256k1")
    ecdh.setPrivateKey(own)
    const number = Buffer.alloc(4)
    number.writeUInt32BE(step)
    const from = step >= 0x80000000 ? Buffer.concat([Buffer.alloc(1), own]) : ecdh.getPublicKey(null, "compressed")
    const next = mac(node.subarray(32), Buffer.concat([from, number]))
    const sum = (BigInt(`0x${next.toString("hex", 0, 32)}`) + BigInt(`0x${own.toString("hex")}`)) % order
    node = Buffer.concat([Buffer.from(sum.toString(16).padStart(64, "0"), "hex"), next.subarray(32)])
  }
  return node.toString("hex", 0, 32)
}

describe("secrets in a text", () => {
  it.each([
    ["src/B.sol", `// the deployer's key: 0x${key}`],
    ["deploy.py", `# owner private key 0x${key}`],
    ["script/Deploy.s.sol", `vm.startBroadcast(0x${key});`],
    ["src/A.sol", `uint256 constant OWNER_PK = 0x${key};`],
    ["test/a.ts", `const wallet = new ethers.Wallet("0x${key}", provider)`],
    ["deploy.sh", `forge create A --private-key 0x${key} --rpc-url $RPC`],
    ["wallet.config.ts", `export default { signerKey: '${key}' }`],
    ["scripts/a.py", `account = Account.from_key("0x${key}")`],
    ["script/Deploy.s.sol", `vm.startBroadcast(\n    0x${key}\n);`],
  ])("a private key in %s: %s", (path, text) => {
    expect(found(path, text)).toEqual(["private-key"])
  })

  it("every key in a list", () => {
    expect(found("hardhat.config.ts", `accounts: ["0x${key}", "0x${other}"],\n`)).toEqual([
      "private-key",
      "private-key",
    ])
  })

  it("key pairs of Solana, as files and in code", () => {
    expect(found("keys/admin-keypair.json", `${JSON.stringify(bytes)}\n`)).toEqual(["private-key"])
    expect(found("t.ts", `Keypair.fromSecretKey(Uint8Array.from(${JSON.stringify(bytes)}))`)).toEqual(["private-key"])
    expect(found("t.ts", `const points = ${JSON.stringify(bytes)}`)).toEqual([])
  })

  it("keys in PEM, except encrypted or truncated ones", () => {
    const body = Buffer.from(Array.from({ length: 120 }, (_, index) => (index * 91 + 7) % 256)).toString("base64")
    const pem = (head: string, content: string) =>
      `-----BEGIN ${head}PRIVATE KEY-----\n${content}\n-----END ${head}PRIVATE KEY-----\n`
    expect(found("a.pem", pem("EC ", body))).toEqual(["private-key"])
    expect(found("a.json", JSON.stringify({ private_key: pem("", body) }))).toEqual(["private-key"])
    expect(found("a.pem", pem("ENCRYPTED ", body))).toEqual([])
    expect(found("a.pem", pem("", "..."))).toEqual([])
  })

  it.each([
    ["a hash", `bytes32 constant PRIVATE_KEY_HASH = 0x${key};`],
    ["a topic", `bytes32 topic = 0x${key};`],
    ["32 bytes without a name", `return 0x${key};`],
    ["another statement's word", `loadPrivateKey(); bytes32 x = 0x${key};`],
    ["a key of Anvil", `PRIVATE_KEY=0x${[...developmentKeys][3]}`],
    ["a mnemonic among other words", `// see ${phrase}`],
    ["bytecode", `privateKey = "0x${key.repeat(4)}"`],
    ["no scalar", `PRIVATE_KEY=0xffffffffffffffffffffffffffffffffbaaedce6af48a03bbfd25e8cd0364143`],
    ["the largest scalar", `PRIVATE_KEY_MAX = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140`],
    ["a small number", `PRIVATE_KEY=0x00000000000000000000000000000000000000000000000000000000000a11ce`],
    ["a public RPC key", "https://mainnet.infura.io/v3/84842078b09946638c03157f83405213"],
  ])("not %s", (_name, text) => {
    expect(found("a.ts", text)).toEqual([])
  })

  it("not the well-known keys and mnemonics of tools", () => {
    const accounts = (mnemonic: string, length: number) => {
      const seed = mnemonicToSeedSync(mnemonic)
      return Array.from({ length }, (_, index) => account(seed, index))
    }
    const [hardhat, ganache] = [...developmentMnemonics]
    expect([...developmentKeys]).toEqual([...accounts(hardhat!, 20), ...accounts(ganache!, 10)])
    // A phrase misspelled here would be reported where it is spelled correctly.
    expect([...developmentMnemonics].filter((words) => !validateMnemonic(words, wordlist))).toEqual([])
    for (const words of developmentMnemonics) expect(found(".env", `MNEMONIC="${words}"`)).toEqual([])
  })
})

describe("masking", () => {
  it("keeps what surrounds a secret", () => {
    expect(
      maskedText("a.env", `A=1\nPRIVATE_KEY=0x${key}\nURL=https://mainnet.infura.io/v3/${key.slice(0, 32)}\n`),
    ).toBe(`A=1\nPRIVATE_KEY=${mask}\nURL=https://mainnet.infura.io/v3/${mask}\n`)
  })

  it("covers every part of a result, whatever the rule", async () => {
    const files: Record<string, string> = {
      ".env": `MNEMONIC="${phrase}"\n`,
      "src/Vault.sol": `pragma solidity ^0.8.0;
contract Vault {
    function pay(address to) external { uint256 ownerKey = 0x${key}; (bool ok, ) = to.call{value: ownerKey}(abi.encode(0x${key})); }
    // assay-ignore evm/access-control/committed-private-key: 0x${key} is old
    uint256 constant OLD_PK = 0x${key};
}`,
      "test/Vault.t.sol": `contract VaultTest { uint256 alicePk = 0x${other}; }`,
      "node_modules/x/src/A.sol": `contract A { uint256 alicePk = 0x${other}; }`,
      "programs/p/src/lib.rs": `const ADMIN_KEY: &str = "${other}";`,
    }
    const examination = examine({
      sources: { paths: Object.keys(files), read: (path) => ({ text: files[path]! }) },
      frontEnds: [await frontEnd("evm"), await frontEnd("solana")],
      engine: { name: "assay", version: "0" },
      access: true,
    })
    const said = JSON.stringify(examination)
    for (const secret of [key, other, phrase]) expect(said).not.toContain(secret)
    const leaks = examination.findings.filter(({ ruleId }) => ruleId.includes("/committed-"))
    expect(leaks.map(({ ruleId, confidence, location }) => [ruleId, confidence, location.file])).toEqual([
      ["evm/access-control/committed-mnemonic", "high", ".env"],
      ["evm/access-control/committed-private-key", "high", "programs/p/src/lib.rs"],
      ["evm/access-control/committed-private-key", "high", "src/Vault.sol"],
      ["evm/access-control/committed-private-key", "medium", "test/Vault.t.sol"],
    ])
    expect(leaks.every(({ location }) => location.snippet === mask)).toBe(true)
    expect(examination.suppressed.map(({ ruleId }) => ruleId)).toContain("evm/access-control/committed-private-key")
    // Other findings cover the key, too.
    expect(examination.findings.some(({ location }) => (location.snippet ?? "").includes(`${mask})`))).toBe(true)
  })
})

describe("the severity of a secret", () => {
  const quoted = `"${phrase}"`
  const severities = async (files: Record<string, string>): Promise<ReadonlyArray<readonly [string, string]>> =>
    examine({
      sources: { paths: Object.keys(files), read: (path) => ({ text: files[path]! }) },
      frontEnds: [await frontEnd("evm")],
      engine: { name: "assay", version: "0" },
    })
      .findings.filter(({ ruleId }) => ruleId.includes("/committed-"))
      .map(({ severity, location }): readonly [string, string] => [location.file, severity])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const contract = "pragma solidity ^0.8.0; contract A {}"

  it.each([
    ["deploy/mainnet.ts", `export const mnemonic = ${quoted}`],
    [".env.local", `MNEMONIC=${quoted}`],
    ["scripts/latest.sh", `echo ${quoted} | d keys add me --keyring-backend os`],
    ["scripts/contest.ts", `export const attestor = new Wallet("0x${key}")`],
    ["hardhat.config.ts", `networks: { base: { url: "https://base.example.org", accounts: { mnemonic: ${quoted} } } }`],
    ["hardhat.config.ts", `networks: { hardhat: {}, base: { accounts: { mnemonic: ${quoted} }, url } }`],
    ["hardhat.config.ts", `networks: { gnosis: { url: "http://8.8.8.8", accounts: { mnemonic: ${quoted} } } }`],
    ["hardhat.config.ts", `anvil: { accounts: { mnemonic: ${quoted} } }, networks: {}`],
    ["hardhat.config.js", `const p = ${quoted}; networks: { hardhat: { m: p }, base: { m: p, url: "https://b.org" } }`],
    ["hardhat.config.js", `const p = ${quoted}; networks: { hardhat: { m: pp, q: p2 } }`],
    ["hardhat.config.js", `const p = ${quoted}; chains: { hardhat: { m: p } }`],
  ])("in %s it is high: %s", async (path, text) => {
    expect(await severities({ "src/A.sol": contract, [path]: text })).toEqual([[path, "high"]])
  })

  it.each([
    ["scripts/chain.sh", `ALICE=${quoted}\nchaind add-genesis-account $A 100stake`],
    ["scripts/keys.sh", `ALICE=${quoted}\nchaind keys add a --keyring-backend=test`],
    ["chain.yml", `accounts:\n  - name: a\n    mnemonic: ${phrase}\n    coins: ["1stake"]`],
    ["scripts/deploy_local.sh", `MNEMONIC=${quoted}`],
    ["deploy/testnetConfig.ts", `export const mnemonic = ${quoted}`],
    ["scripts/a.ts", `export const DEMO_MNEMONIC_1 = ${quoted}`],
    ["bot/.env.example", `MNEMONIC=${quoted}`],
    ["test/a.ts", `const wallet = new Wallet("0x${key}")`],
    ["hardhat.config.ts", `networks: { base: { url }, hardhat: { accounts: { mnemonic: ${quoted}, count: 20 } } }`],
    ["hardhat.config.js", `networks: { "chain": { url: "http://chain:8545", accounts: { mnemonic: ${quoted} } } }`],
    ["hardhat.config.js", `networks: { chain: { accounts: { mnemonic: ${quoted} }, url: "http://[::1]:8545" } }`],
    [
      "hardhat.config.js",
      `const p =\n  ${quoted}; for (;;) derive(p); networks: { hardhat: { accounts: { p } }, base: {} }`,
    ],
    [
      "hardhat.config.ts",
      `let p: string = ${quoted}; networks: { node: { url: "http://node:8545", accounts: { m: p } } }`,
    ],
    ["truffle-config.js", `networks: { old: { url: "http://10.0.0.7:8545", accounts: ["0x${key}"] } }`],
  ])("in %s it is low: %s", async (path, text) => {
    expect(await severities({ "src/A.sol": contract, [path]: text })).toEqual([[path, "low"]])
  })

  it("is the same wherever it occurs, and printed in full once", async () => {
    const url = "https://mainnet.infura.io/v3/baa619763db715addd7967886ccaa97c"
    expect(
      await severities({
        "src/A.sol": contract,
        "scripts/a.ts": `export const rpc = "${url}"`,
        "scripts/b.ts": `export const rpc = "${url}"`,
        "local/chain.sh": `ALICE=${quoted}`,
        "scripts/c.ts": `export const mnemonic = ${quoted}`,
        "tests/d.ts": `export const rpc = "${url}1"`,
      }),
    ).toEqual([
      ["local/chain.sh", "low"],
      ["scripts/a.ts", "medium"],
      ["scripts/b.ts", "low"],
      ["scripts/c.ts", "low"],
      ["tests/d.ts", "medium"],
    ])
  })
})

describe("files that are read for secrets", () => {
  it.each([".env", "a/.env.local", "deploy/01.ts", "scripts/x.js", "keys/admin-keypair.json", "x.pem", "run.sh"])(
    "%s",
    (path) => expect(isRelevant(path)).toBe(true),
  )
  it.each(["src/app/page.ts", "node_modules/x/scripts/a.js", "README.md", "abi/Token.json"])("not %s", (path) =>
    expect(isRelevant(path)).toBe(false),
  )
})

describe("hostile texts", () => {
  const million = 1_000_000
  const fill = (piece: string): string => piece.repeat(Math.ceil(million / piece.length))

  it.each([
    "a",
    "a ",
    "abandon ",
    "[",
    "[1,",
    "[1 ",
    "0x",
    `0x${key} `,
    `PRIVATE_KEY=0x${key},`,
    "https://mainnet.infura.io/v3/",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----aZ09",
    "aws_secret_access_key=",
    "A1b2C3d4E5f6G7h8I9j0 ",
    "\n",
    " ",
  ])("of %j cost in proportion to their length", (piece) => {
    const seconds = (text: string): number => cpuTimeOf(() => maskedText("a.ts", text)) / 1_000
    seconds(fill(piece).slice(0, 10_000))
    // Quadratic work over a megabyte takes minutes.
    expect(seconds(fill(piece))).toBeLessThan(5)
  })

  it.each(["{", "networks: { a: {", "}"])("of keys among %j cost in proportion to their length", async (piece) => {
    const text = fill(`${piece.repeat(8)} PRIVATE_KEY=0x${key}\n`)
    const files = { "src/A.sol": "pragma solidity ^0.8.0; contract A {}", "keys.ts": text }
    const frontEnds = [await frontEnd("evm")]
    const examined = (): unknown =>
      examine({
        sources: { paths: Object.keys(files), read: (path) => ({ text: files[path as keyof typeof files] }) },
        frontEnds,
        engine: { name: "assay", version: "0" },
      })
    expect(cpuTimeOf(examined) / 1_000).toBeLessThan(5)
  })

  it("of keys that are named costs in proportion to their number", async () => {
    const named = `networks: { a: {  const k = "0x${key}"; k k k k k k k k\n`
    const files = { "src/A.sol": "pragma solidity ^0.8.0; contract A {}", "keys.ts": fill(named) }
    const frontEnds = [await frontEnd("evm")]
    const examined = (): unknown =>
      examine({
        sources: { paths: Object.keys(files), read: (path) => ({ text: files[path as keyof typeof files] }) },
        frontEnds,
        engine: { name: "assay", version: "0" },
      })
    expect(cpuTimeOf(examined) / 1_000).toBeLessThan(5)
  })

  it("is determined once per file, however many keys it contains", async () => {
    const frontEnds = [await frontEnd("evm")]
    const id = (index: number): string => (index * 2_654_435_761 + 1).toString(16).padStart(32, "c")
    const text = Array.from({ length: 10_000 }, (_, index) => `alchemy_api_key = "${id(index)}"\n`).join("")
    const engine = { name: "assay", version: "0" }
    const examined = (text: string) =>
      examine({ sources: { paths: ["keys.sh"], read: () => ({ text }) }, frontEnds, engine })
    examined(text.slice(0, 1_000))
    // Quadratic work takes 13 s.
    expect(cpuTimeOf(() => examined(text)) / 1_000).toBeLessThan(4)
  })
})
