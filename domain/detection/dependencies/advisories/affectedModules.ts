const governor = [
  "Governor",
  "GovernorCompatibilityBravo",
  "GovernorCountingSimple",
  "GovernorPreventLateQuorum",
  "GovernorProposalThreshold",
  "GovernorSettings",
  "GovernorTimelockCompound",
  "GovernorTimelockControl",
  "GovernorVotes",
  "GovernorVotesComp",
  "GovernorVotesQuorumFraction",
]

const signatures = [
  ...governor,
  "ECDSA",
  "EIP712",
  "ERC20Permit",
  "ERC20Votes",
  "ERC20VotesComp",
  "ERC721Votes",
  "MinimalForwarder",
  "SignatureChecker",
  "Votes",
]

/**
 * The files of OpenZeppelin Contracts that an advisory names, and the library's own files that import them (tags
 * v4.3.0, v4.7.0, v4.8.0, v4.9.4 and v5.3.0), without `draft-`, `Upgradeable` and `.sol`.
 */
const modules: Readonly<Record<string, ReadonlyArray<string>>> = {
  "GHSA-fg47-3c2x-m2wr": ["TimelockController", "GovernorTimelockControl"],
  "GHSA-vrw4-w73r-6mm8": ["TimelockController", "GovernorTimelockControl"],
  // UUPSUpgradeable
  "GHSA-5vp3-v4hc-gx76": ["UUPS"],
  "GHSA-wmpv-c2jp-j2xg": ["ERC1155Supply"],
  "GHSA-4g63-c64m-25w9": ["SignatureChecker"],
  "GHSA-qh9x-gcfh-pcrw": ["ERC165Checker"],
  "GHSA-9j3m-g383-29qr": ["CrossChainEnabledArbitrumL2", "LibArbitrumL2"],
  "GHSA-xrc4-737v-9q75": ["GovernorVotesQuorumFraction"],
  "GHSA-7grf-83vw-6f5x": ["ERC165Checker"],
  "GHSA-4h98-2769-gh6h": signatures,
  "GHSA-878m-3g6q-594q": ["ERC721Consecutive"],
  "GHSA-93hq-5wgc-jc82": ["GovernorCompatibilityBravo"],
  "GHSA-mx2q-35m2-x2rh": ["TransparentUpgradeableProxy", "ProxyAdmin"],
  "GHSA-5h3x-9wvq-w4m2": governor,
  "GHSA-wprv-93r4-jj2p": ["MerkleProof"],
  "GHSA-g4vp-m682-qqmp": ["ERC2771Context"],
  "GHSA-699g-q6qh-q4v8": ["Multicall"],
  "GHSA-9vx6-7xxf-x967": ["Base64"],
  "GHSA-9rcw-c2f9-2j55": ["Bytes", "CAIP10", "CAIP2"],
}

/** The name by which modules are compared: `@openzeppelin/…/draft-ERC20PermitUpgradeable.sol` is `ERC20Permit`. */
export const moduleOf = (path: string): string =>
  path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/^draft-/, "")
    .replace(/\.sol$/, "")
    .replace(/Upgradeable$/, "")

/**
 * The modules through which a vulnerability is reached, looked up by any of its ids; undefined if they are not known.
 */
export const affectedModules = (ids: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const known = ids.filter((id) => Object.hasOwn(modules, id)).flatMap((id) => modules[id]!)
  return known.length === 0 ? undefined : known
}
