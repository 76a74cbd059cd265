import type { Advisory, Registry } from "./Advisory.ts"
import { readOsv } from "./osv.ts"

/** From a version (`"0"`: the very first) to the first version without the problem, or open-ended. */
type Range = readonly [introduced: string, fixed?: string]

const affects = (ecosystem: Registry, name: string, ...ranges: ReadonlyArray<Range>): object => ({
  package: { ecosystem, name },
  ranges: ranges.map(([introduced, fixed]) => ({
    type: "SEMVER",
    events: [{ introduced }, ...(fixed === undefined ? [] : [{ fixed }])],
  })),
})

const crate = (name: string, ...ranges: ReadonlyArray<Range>): object => affects("crates.io", name, ...ranges)

/** Both packages of OpenZeppelin Contracts. */
const openZeppelin = (...ranges: ReadonlyArray<Range>): ReadonlyArray<object> => [
  affects("npm", "@openzeppelin/contracts", ...ranges),
  affects("npm", "@openzeppelin/contracts-upgradeable", ...ranges),
]

const cvss = (vector: string): ReadonlyArray<object> => [{ type: "CVSS_V3", score: `CVSS:3.1/${vector}` }]
const web = (url: string): object => ({ type: "WEB", url })

const openZeppelinPage = (id: string): ReadonlyArray<object> => [
  web(`https://github.com/OpenZeppelin/openzeppelin-contracts/security/advisories/${id}`),
]
const cosmWasmPage = (id: string): ReadonlyArray<object> => [
  web(`https://github.com/CosmWasm/advisories/blob/main/CWAs/${id}.md`),
]

/**
 * Well-known advisories about contract libraries, in the OSV format. Ids, versions and scores are those of the GitHub
 * Advisory Database, the RustSec Advisory Database and CosmWasm's advisories; the summaries are our own.
 */
const entries: ReadonlyArray<object> = [
  {
    id: "GHSA-fg47-3c2x-m2wr",
    aliases: ["CVE-2021-39167"],
    summary: "An executor can take over a TimelockController by setting its delay to zero",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"),
    affected: [affects("npm", "@openzeppelin/contracts", ["3.3.0", "3.4.2"], ["4.0.0", "4.3.1"])],
    references: openZeppelinPage("GHSA-fg47-3c2x-m2wr"),
  },
  {
    id: "GHSA-vrw4-w73r-6mm8",
    aliases: ["CVE-2021-39168"],
    summary: "An executor can take over a TimelockController by setting its delay to zero",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"),
    affected: [affects("npm", "@openzeppelin/contracts-upgradeable", ["3.3.0", "3.4.2"], ["4.0.0", "4.3.1"])],
    references: [
      web("https://github.com/OpenZeppelin/openzeppelin-contracts-upgradeable/security/advisories/GHSA-vrw4-w73r-6mm8"),
    ],
  },
  {
    id: "GHSA-5vp3-v4hc-gx76",
    // The package with the upgradeable variants has its own entry for the same problem.
    aliases: ["CVE-2021-41264", "GHSA-q4h9-46xg-m3x9"],
    summary: "An uninitialized UUPSUpgradeable implementation can be taken over and destroyed",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),
    affected: openZeppelin(["4.1.0", "4.3.2"]),
    references: openZeppelinPage("GHSA-5vp3-v4hc-gx76"),
  },
  {
    id: "GHSA-wmpv-c2jp-j2xg",
    summary: "ERC1155Supply updates the total supply after the receiver's callback, which sees it too low",
    database_specific: { severity: "LOW" },
    affected: openZeppelin(["4.2.0", "4.3.3"]),
    references: openZeppelinPage("GHSA-wmpv-c2jp-j2xg"),
  },
  {
    id: "GHSA-9c22-pwxw-p6hx",
    summary: "An initializer that makes an external call can be entered again and run twice",
    database_specific: { severity: "LOW" },
    affected: openZeppelin(["3.2.0", "4.4.1"]),
    references: openZeppelinPage("GHSA-9c22-pwxw-p6hx"),
  },
  {
    id: "GHSA-4g63-c64m-25w9",
    aliases: ["CVE-2022-31172"],
    summary: "SignatureChecker reverts instead of answering false for a malformed EIP-1271 signer",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N"),
    affected: openZeppelin(["4.1.0", "4.7.1"]),
    references: openZeppelinPage("GHSA-4g63-c64m-25w9"),
  },
  {
    id: "GHSA-qh9x-gcfh-pcrw",
    aliases: ["CVE-2022-31170"],
    summary: "ERC165Checker reverts instead of answering false for a malformed target",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N"),
    affected: openZeppelin(["4.0.0", "4.7.1"]),
    references: openZeppelinPage("GHSA-qh9x-gcfh-pcrw"),
  },
  {
    id: "GHSA-9j3m-g383-29qr",
    aliases: ["CVE-2022-35916"],
    summary: "Arbitrum L2 utilities mistake direct calls by accounts for cross-chain calls",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N"),
    affected: openZeppelin(["4.6.0", "4.7.2"]),
    references: openZeppelinPage("GHSA-9j3m-g383-29qr"),
  },
  {
    id: "GHSA-xrc4-737v-9q75",
    aliases: ["CVE-2022-31198"],
    summary: "Lowering the quorum of GovernorVotesQuorumFraction can revive defeated proposals",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N"),
    affected: openZeppelin(["4.3.0", "4.7.2"]),
    references: openZeppelinPage("GHSA-xrc4-737v-9q75"),
  },
  {
    id: "GHSA-7grf-83vw-6f5x",
    aliases: ["CVE-2022-35915"],
    summary: "The target of an ERC165Checker query can make it use unlimited gas",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L"),
    affected: [
      affects("npm", "@openzeppelin/contracts", ["2.0.0", "4.7.2"]),
      affects("npm", "@openzeppelin/contracts-upgradeable", ["3.2.0", "4.7.2"]),
      {
        package: { ecosystem: "npm", name: "openzeppelin-solidity" },
        ranges: [{ type: "SEMVER", events: [{ introduced: "2.0.0" }, { last_affected: "4.6.0" }] }],
      },
    ],
    references: openZeppelinPage("GHSA-7grf-83vw-6f5x"),
  },
  {
    id: "GHSA-4h98-2769-gh6h",
    aliases: ["CVE-2022-35961"],
    summary: "ECDSA.recover accepts a signature in two encodings, which defeats replay protection by signature",
    severity: cvss("AV:N/AC:H/PR:L/UI:R/S:C/C:H/I:H/A:L"),
    affected: openZeppelin(["4.1.0", "4.7.3"]),
    references: openZeppelinPage("GHSA-4h98-2769-gh6h"),
  },
  {
    id: "GHSA-878m-3g6q-594q",
    aliases: ["CVE-2023-26488"],
    summary: "ERC721Consecutive does not count a batch of one token in the receiver's balance",
    database_specific: { severity: "MODERATE" },
    affected: openZeppelin(["4.8.0", "4.8.2"]),
    references: openZeppelinPage("GHSA-878m-3g6q-594q"),
  },
  {
    id: "GHSA-93hq-5wgc-jc82",
    aliases: ["CVE-2023-30542"],
    summary: "GovernorCompatibilityBravo drops call data of proposals with too few signatures",
    severity: cvss("AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"),
    affected: openZeppelin(["4.3.0", "4.8.3"]),
    references: openZeppelinPage("GHSA-93hq-5wgc-jc82"),
  },
  {
    id: "GHSA-mx2q-35m2-x2rh",
    aliases: ["CVE-2023-30541"],
    summary: "A function whose selector clashes with TransparentUpgradeableProxy's own cannot be reached",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L"),
    affected: openZeppelin(["3.2.0", "4.8.3"]),
    references: openZeppelinPage("GHSA-mx2q-35m2-x2rh"),
  },
  {
    id: "GHSA-5h3x-9wvq-w4m2",
    aliases: ["CVE-2023-34234"],
    summary: "Whoever front-runs the creation of a Governor proposal can cancel it",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L"),
    affected: openZeppelin(["4.3.0", "4.9.1"]),
    references: openZeppelinPage("GHSA-5h3x-9wvq-w4m2"),
  },
  {
    id: "GHSA-wprv-93r4-jj2p",
    aliases: ["CVE-2023-34459"],
    summary: "MerkleProof accepts forged multiproofs for trees with an empty node below the root",
    severity: cvss("AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:H/A:N"),
    affected: openZeppelin(["4.7.0", "4.9.2"]),
    references: openZeppelinPage("GHSA-wprv-93r4-jj2p"),
  },
  {
    id: "GHSA-g4vp-m682-qqmp",
    aliases: ["CVE-2023-40014"],
    summary: "ERC2771Context gives the zero address as sender for short call data of a custom forwarder",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N"),
    affected: openZeppelin(["4.0.0", "4.9.3"]),
    references: openZeppelinPage("GHSA-g4vp-m682-qqmp"),
  },
  {
    id: "GHSA-699g-q6qh-q4v8",
    aliases: ["CVE-2023-49798"],
    summary: "Multicall executes each call twice",
    severity: cvss("AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N"),
    affected: openZeppelin(["4.9.4", "4.9.5"]),
    references: openZeppelinPage("GHSA-699g-q6qh-q4v8"),
  },
  {
    id: "GHSA-9vx6-7xxf-x967",
    aliases: ["CVE-2024-27094"],
    summary: "Base64.encode may read memory behind its input and corrupt its output",
    database_specific: { severity: "LOW" },
    affected: openZeppelin(["4.5.0", "4.9.6"], ["5.0.0-rc.0", "5.0.2"]),
    references: openZeppelinPage("GHSA-9vx6-7xxf-x967"),
  },
  {
    id: "GHSA-9rcw-c2f9-2j55",
    summary: "Bytes.lastIndexOf reads uninitialized memory for an empty buffer",
    affected: openZeppelin(["5.2.0", "5.4.0"]),
    references: openZeppelinPage("GHSA-9rcw-c2f9-2j55"),
  },
  {
    id: "RUSTSEC-2024-0338",
    aliases: ["CVE-2024-58263", "GHSA-8724-5xmm-w5xq", "CWA-2024-002"],
    summary: "pow and negation of cosmwasm-std's integers wrap around instead of failing",
    severity: cvss("AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:N"),
    affected: [crate("cosmwasm-std", ["1.3.0", "1.4.4"], ["1.5.0", "1.5.4"], ["2.0.0", "2.0.2"])],
    references: cosmWasmPage("CWA-2024-002"),
  },
  {
    id: "RUSTSEC-2024-0012",
    aliases: ["CVE-2024-58264", "GHSA-rr69-rxr6-8qwf", "CWA-2024-001"],
    summary: "Deeply nested JSON overflows the stack of serde-json-wasm and aborts the contract",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"),
    affected: [crate("serde-json-wasm", ["0", "0.5.2"], ["1.0.0", "1.0.1"])],
    references: cosmWasmPage("CWA-2024-001"),
  },
  {
    id: "RUSTSEC-2024-0385",
    summary: "cw0 is unmaintained since it was renamed to cw-utils",
    affected: [{ ...crate("cw0", ["0"]), database_specific: { informational: "unmaintained" } }],
    references: [web("https://github.com/CosmWasm/cw-plus/issues/471")],
  },
  {
    id: "RUSTSEC-2024-0004",
    summary: "The crate cosmwasm is unmaintained; cosmwasm-std took its place",
    affected: [{ ...crate("cosmwasm", ["0"]), database_specific: { informational: "unmaintained" } }],
    references: [web("https://github.com/CosmWasm/cosmwasm/issues/1430")],
  },
  {
    id: "RUSTSEC-2026-0144",
    aliases: ["CVE-2026-45137", "GHSA-c6rc-8jpp-2fgc"],
    summary: "Program<'info, System> of anchor-lang accepts any executable program",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:H/A:N"),
    affected: [crate("anchor-lang", ["1.0.0", "1.0.2"])],
    references: [web("https://github.com/solana-foundation/anchor/releases/tag/v1.0.2")],
  },
  {
    id: "RUSTSEC-2026-0146",
    aliases: ["GHSA-429q-fhh4-r6hj"],
    summary: "InterfaceAccount of anchor-lang accepts accounts of another type",
    severity: [{ type: "CVSS_V4", score: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:H/VA:N/SC:N/SI:N/SA:N" }],
    affected: [crate("anchor-lang", ["1.0.0-rc.1", "1.0.0-rc.2"])],
    references: [web("https://github.com/otter-sec/anchor/pull/4139")],
  },
  {
    id: "RUSTSEC-2023-0033",
    aliases: ["GHSA-fjx5-qpf4-xjf2"],
    summary: "borsh is unsound for zero-sized types that are neither Copy nor Clone",
    affected: [
      {
        ...crate("borsh", ["0", "0.10.4"], ["0.11.0-0", "1.0.0-alpha.1"]),
        database_specific: { informational: "unsound" },
      },
    ],
    references: [web("https://github.com/near/borsh-rs/issues/19")],
  },
  {
    id: "RUSTSEC-2022-0093",
    aliases: ["CVE-2022-50237", "GHSA-w5vr-6qhr-36cc"],
    summary: "ed25519-dalek signs with a separately supplied public key, which can leak the private key",
    database_specific: { severity: "MODERATE" },
    affected: [crate("ed25519-dalek", ["0", "2.0.0"])],
    references: [web("https://github.com/MystenLabs/ed25519-unsafe-libs")],
  },
  {
    id: "RUSTSEC-2024-0344",
    aliases: ["CVE-2024-58262", "GHSA-x4gp-pqpj-f43q"],
    summary: "Scalar subtraction of curve25519-dalek is not constant-time",
    database_specific: { severity: "MODERATE" },
    affected: [crate("curve25519-dalek", ["0", "4.1.3"])],
    references: [web("https://github.com/dalek-cryptography/curve25519-dalek/pull/659")],
  },
  {
    id: "RUSTSEC-2019-0027",
    aliases: ["CVE-2019-25003", "GHSA-hrjm-c879-pp86"],
    summary: "Scalar::check_overflow of libsecp256k1 is not constant-time",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"),
    affected: [crate("libsecp256k1", ["0", "0.3.1"])],
  },
  {
    id: "RUSTSEC-2021-0076",
    aliases: ["CVE-2021-38195", "GHSA-g4vj-x7v9-h82m"],
    summary: "libsecp256k1 accepts signatures whose values exceed the order of the curve",
    severity: cvss("AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),
    affected: [crate("libsecp256k1", ["0", "0.5.0"])],
    references: [web("https://github.com/paritytech/libsecp256k1/pull/67")],
  },
  {
    id: "RUSTSEC-2025-0161",
    summary: "libsecp256k1 is unmaintained",
    affected: [{ ...crate("libsecp256k1", ["0"]), database_specific: { informational: "unmaintained" } }],
    references: [web("https://github.com/paritytech/libsecp256k1/pull/159")],
  },
  {
    id: "RUSTSEC-2025-0137",
    aliases: ["GHSA-9fjq-45qv-pcm7"],
    summary: "reciprocal_mg10 of ruint reads out of bounds for invalid inputs in release builds",
    affected: [{ ...crate("ruint", ["0", "1.17.1"]), database_specific: { informational: "unsound" } }],
    references: [web("https://github.com/recmo/uint/issues/550")],
  },
  {
    id: "RUSTSEC-2026-0220",
    summary: "Checked and saturating shifts of ruint report no overflow where there is one",
    affected: [crate("ruint", ["0", "1.20.0"])],
    references: [web("https://github.com/alloy-rs/ruint/pull/603")],
  },
  {
    id: "RUSTSEC-2024-0426",
    aliases: ["GHSA-h6xm-c6r4-vmwf"],
    summary: "unpack of spl-token-swap casts bytes to types that they may not be valid for",
    affected: [{ ...crate("spl-token-swap", ["0"]), database_specific: { informational: "unsound" } }],
    references: [web("https://github.com/solana-labs/solana-program-library/issues/5243")],
  },
  {
    id: "RUSTSEC-2025-0141",
    summary: "bincode is unmaintained",
    affected: [{ ...crate("bincode", ["0"]), database_specific: { informational: "unmaintained" } }],
  },
]

/** Advisories that come with Assay. A directory of newer ones replaces entries with the same id. */
export const bundledAdvisories: ReadonlyArray<Advisory> = entries.flatMap((entry) => readOsv(entry) ?? [])
