import { classOfSlither } from "../finding/slitherDetectors.ts"

type Classes = Readonly<Record<string, string>>

/** https://github.com/Cyfrin/aderyn, `aderyn registry` */
const aderyn: Classes = {
  "abi-encode-packed-hash-collision": "hash-collision",
  "arbitrary-transfer-from": "arbitrary-transfer-from",
  "block-timestamp-deadline": "deadline-now",
  "centralization-risk": "centralization",
  "contract-locks-ether": "locked-ether",
  "delegate-call-in-loop": "delegatecall-loop",
  "delegate-call-unchecked-address": "delegatecall-untrusted",
  "delete-nested-mapping": "delete-mapping",
  "deprecated-oz-function": "deprecated-api",
  "division-before-multiplication": "div-before-mul",
  ecrecover: "sig-zero-address",
  "eth-send-unchecked-address": "arbitrary-send-eth",
  "incorrect-erc20-interface": "erc20-interface",
  "incorrect-erc721-interface": "erc721-interface",
  "incorrect-shift-order": "wrong-operator",
  "incorrect-caret-operator": "wrong-operator",
  "dangerous-strict-equality-on-contract-balance": "strict-balance-equality",
  "msg-value-in-loop": "payable-misuse",
  "msg-value-used-in-loop": "payable-misuse",
  "reentrancy-state-change": "reentrancy-no-eth",
  "return-bomb": "return-bomb",
  rtlo: "rtlo",
  selfdestruct: "unprotected-selfdestruct",
  "state-address-changed-without-checks": "missing-zero-check",
  "state-no-address-check": "missing-zero-check",
  "state-variable-shadowing": "shadowing-state",
  "tautological-compare": "tautology",
  "tautology-or-contradiction": "tautology",
  "tx-origin-used-for-auth": "tx-origin",
  "unchecked-low-level-call": "unchecked-low-level",
  "unchecked-return": "unused-return",
  "unchecked-send": "unchecked-send",
  "uninitialized-local-variable": "uninit-local",
  "unprotected-initializer": "unprotected-initializer",
  "unsafe-casting": "unsafe-cast",
  "unsafe-casting-detector": "unsafe-cast",
  "unsafe-erc20-operation": "unchecked-erc20",
  "unspecific-solidity-pragma": "outdated-compiler",
  "weak-randomness": "weak-randomness",
}

/** https://github.com/Decurity/semgrep-smart-contracts */
const semgrep: Classes = {
  "accessible-selfdestruct": "unprotected-selfdestruct",
  "arbitrary-low-level-call": "arbitrary-call",
  "arbitrary-send-erc20": "arbitrary-transfer-from",
  "bad-transferfrom-access-control": "arbitrary-transfer-from",
  "balancer-readonly-reentrancy-getpooltokens": "reentrancy-read-only",
  "balancer-readonly-reentrancy-getrate": "reentrancy-read-only",
  "basic-arithmetic-underflow": "overflow",
  "basic-oracle-manipulation": "oracle-spot",
  "compound-borrowfresh-reentrancy": "reentrancy-no-eth",
  "compound-precision-loss": "share-inflation",
  "compound-sweeptoken-not-restricted": "missing-access-control",
  "curve-readonly-reentrancy": "reentrancy-read-only",
  "delegatecall-to-arbitrary-address": "delegatecall-untrusted",
  "encode-packed-collision": "hash-collision",
  "erc20-public-burn": "missing-access-control",
  "erc20-public-transfer": "missing-access-control",
  "erc677-reentrancy": "reentrancy-no-eth",
  "erc721-arbitrary-transferfrom": "missing-access-control",
  "erc721-reentrancy": "reentrancy-no-eth",
  "erc777-reentrancy": "reentrancy-no-eth",
  "exact-balance-check": "strict-balance-equality",
  "incorrect-use-of-blockhash": "weak-randomness",
  "keeper-network-oracle-manipulation": "oracle-spot",
  "missing-assignment": "dead-code",
  "msg-value-multicall": "payable-misuse",
  "no-bidi-characters": "rtlo",
  "no-slippage-check": "no-slippage",
  "openzeppelin-ecdsa-recover-malleable": "sig-malleability",
  "oracle-price-update-not-restricted": "missing-access-control",
  "oracle-uses-curve-spot-price": "oracle-spot",
  "proxy-storage-collision": "storage-collision",
  "public-transfer-fees-supporting-tax-tokens": "missing-access-control",
  "rigoblock-missing-access-control": "missing-access-control",
  "sense-missing-oracle-access-control": "missing-access-control",
  "solana-arbitrary-program-call": "arbitrary-cpi",
  "solana-insecure-account-closing": "insecure-close",
  "tx-origin-authentication": "tx-origin",
  "uniswap-callback-not-protected": "unprotected-callback",
  "uniswap-v4-callback-not-protected": "unprotected-callback",
  "unrestricted-transferownership": "missing-access-control",
}

/** By the number in the SWC registry, which is what Mythril names its results by. */
const mythril: Classes = {
  "swc-101": "overflow",
  "swc-104": "unchecked-low-level",
  "swc-105": "arbitrary-send-eth",
  "swc-106": "unprotected-selfdestruct",
  "swc-107": "reentrancy-eth",
  "swc-110": "assert-violation",
  "swc-112": "delegatecall-untrusted",
  "swc-113": "dos-failed-call",
  "swc-114": "front-running",
  "swc-115": "tx-origin",
  "swc-116": "timestamp",
  "swc-120": "weak-randomness",
  "swc-124": "arbitrary-storage-write",
  "swc-132": "strict-balance-equality",
}

/** https://protofire.github.io/solhint/docs/rules.html */
const solhint: Classes = {
  "avoid-call-value": "unchecked-low-level",
  "avoid-low-level-calls": "unchecked-low-level",
  "avoid-sha3": "deprecated-api",
  "avoid-suicide": "deprecated-api",
  "avoid-throw": "deprecated-api",
  "avoid-tx-origin": "tx-origin",
  "check-send-result": "unchecked-send",
  "compiler-version": "outdated-compiler",
  "constructor-syntax": "deprecated-api",
  "func-visibility": "default-visibility",
  "multiple-sends": "dos-failed-call",
  "no-unused-vars": "dead-code",
  "not-rely-on-block-hash": "weak-randomness",
  "not-rely-on-time": "timestamp",
  reentrancy: "reentrancy-eth",
  "state-visibility": "default-visibility",
}

/** https://rust-lang.github.io/rust-clippy */
const clippy: Classes = {
  "arithmetic-side-effects": "integer-overflow",
  "cast-possible-truncation": "unsafe-cast",
  "cast-sign-loss": "unsafe-cast",
  "float-arithmetic": "float",
  "indexing-slicing": "panic-dos",
  "integer-division": "precision-loss",
  "let-underscore-must-use": "ignored-result",
  "unwrap-used": "panic-dos",
}

/** By engine; what Slither calls its checks stands with the comments that are written for it. */
export const detectorClasses: Readonly<Record<string, Classes>> = {
  aderyn,
  semgrep,
  "semgrep-oss": semgrep,
  mythril,
  solhint,
  clippy,
}

/** Our vulnerability class for what an engine calls a check; undefined where none is known. */
export const classOf = (engine: string, detector: string): string | undefined => {
  if (engine === "slither") return classOfSlither(detector)
  const table = Object.hasOwn(detectorClasses, engine) ? detectorClasses[engine]! : {}
  return Object.hasOwn(table, detector) ? table[detector] : undefined
}
