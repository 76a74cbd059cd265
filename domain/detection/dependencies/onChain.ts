import type { Ecosystem } from "../../analysis/Framework.ts"
import type { CargoManifest } from "./files/cargoManifest.ts"
import { linkedPackages } from "./linkedCrates.ts"

/** Crates that make a package a program of an ecosystem. */
const marks: Record<Exclude<Ecosystem, "evm">, RegExp> = {
  solana:
    /^(?:anchor-(?:lang|spl)|solana-(?:program|program-entrypoint|account-info|cpi|pubkey|instruction)|pinocchio(?:-[a-z-]+)?|steel|star-frame|bolt-lang|quasar-lang|solitaire)$/,
  cosmwasm: /^(?:cosmwasm-std|secret-cosmwasm-std|cw-storage-plus|sylvia)$/,
}

/** Crates that only work with a network, a file system or a terminal. */
const clients =
  /^(?:anchor-client|solana-(?:client|rpc-client(?:-.+)?|cli(?:-.+)?|clap-.+|logger|program-test|test-validator|remote-wallet)|clap|tokio|reqwest|hyper|cosmrs|cw-orch(?:-.+)?|cw-multi-test|cosmwasm-vm|litesvm|mollusk-svm|libfuzzer-sys|honggfuzz)$/

const testFolders = new Set(["test", "tests", "fuzz", "benches", "examples", "trident-tests", "integration-tests"])

/** Whether a package is deployed to a chain or linked into one that is; clients and test harnesses are not. */
const isProgram = (manifest: CargoManifest, ecosystem: Exclude<Ecosystem, "evm">): boolean => {
  const { file, isArtifact } = manifest
  const dependencies = linkedPackages([manifest], () => undefined).get(manifest)!.dependencies
  if (file.path.split("/").some((folder) => testFolders.has(folder))) return false
  if (!dependencies.some(({ name }) => marks[ecosystem].test(name))) return false
  return isArtifact || !dependencies.some(({ name }) => clients.test(name))
}

/**
 * The programs among the packages of a project. If some are built for a chain, the libraries beside them do not count.
 */
export const programsOf = (
  manifests: ReadonlyArray<CargoManifest>,
  ecosystem: Exclude<Ecosystem, "evm">,
): ReadonlyArray<CargoManifest> => {
  const all = manifests.filter((one) => isProgram(one, ecosystem))
  const artifacts = all.filter(({ isArtifact }) => isArtifact)
  return artifacts.length > 0 ? artifacts : all
}

/**
 * What these crates need on a host only: tables `[target.'cfg(not(target_os = "solana"))'.dependencies]` of
 * solana-program 1.18.26 and 2.1.21, solana-frozen-abi 1.18.26, solana-pubkey, solana-curve25519, solana-zk-sdk and
 * solana-secp256k1-recover 2.1.21, spl-token-2022 6.0.0, and `cfg(not(target_arch = "wasm32"))` of cosmwasm-std 2.1.4.
 * A Cargo.lock does not record conditions.
 */
const hostEdges: ReadonlyArray<{ readonly from: RegExp; readonly to: RegExp }> = [
  {
    from: /^(?:solana-|agave-)/,
    to: /^(?:aes-gcm-siv|ark-.+|base64|curve25519-dalek|ed25519-dalek.*|ed25519|getrandom|im|itertools|js-sys|libc|libsecp256k1.*|light-poseidon|memmap2|num-bigint|openssl|parking_lot|rand.*|reqwest|solana-sdk|tiny-bip39|wasm-bindgen)$/,
  },
  { from: /^spl-token-2022$/, to: /^spl-token-confidential-transfer-proof-generation$/ },
  { from: /^cosmwasm-std$/, to: /^(?:bech32|cosmwasm-crypto|cosmwasm-vm|rand_core)$/ },
]

/** Run by the compiler: procedural macros with everything they need, and helpers of build scripts. */
const compileTime =
  /^(?:proc-macro.*|syn|quote|cc|autocfg|pkg-config|vcpkg|rustc_version|version_check|toml.*|clap.*|anchor-(?:syn|attribute-.+|derive-.+)|(?:.+[-_](?:derive|macros?|derive-internal|schema-derive|derive-impl|macro-impl|proc-macros?|impl-macros?))|thiserror-impl|borsh-(?:derive|schema-derive)-internal|cosmwasm-schema-derive)$/

/** Whether a dependency of a published crate ends up in the deployed artifact, judging by names. */
export const isLinked = (from: string, to: string): boolean =>
  !compileTime.test(to) && !hostEdges.some((edge) => edge.from.test(from) && edge.to.test(to))

/** Packages that contain contracts rather than JavaScript, going by their authors' naming. */
export const holdsContracts = (name: string): boolean =>
  /contracts?\b|solidity|openzeppelin|solmate|solady|(?:^|[/-])v\d-(?:core|periphery)/.test(name)
