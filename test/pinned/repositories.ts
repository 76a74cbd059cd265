/** A public repository at one commit, and the folder of it that is looked at. */
export interface PinnedRepository {
  readonly name: string
  readonly commit: string
  readonly folder?: string
}

/** Audited programs of all three kinds, small and large. What is found in them is in `findings.txt`. */
export const repositories: ReadonlyArray<PinnedRepository> = [
  {
    name: "OpenZeppelin/openzeppelin-contracts",
    commit: "fddac901ccdbdb06be90536822936ea765dd9218",
    folder: "contracts",
  },
  { name: "Uniswap/v3-core", commit: "d8b1c635c275d2a9450bd6a78f3fa2484fef73eb", folder: "contracts" },
  { name: "Vectorized/solady", commit: "ab96a830e705de13e0f58cfaefadab4ac8257655", folder: "src" },
  { name: "compound-finance/comet", commit: "d5a30b0aaeff7755f1431e87f818990902237b03", folder: "contracts" },
  { name: "safe-global/safe-smart-account", commit: "c35264b99a389254a25f589c8271394ba5db7f38", folder: "contracts" },
  { name: "Synthetixio/synthetix", commit: "1609d156708eb77025478cbcd92b98de51faf1e3", folder: "contracts" },
  { name: "across-protocol/contracts", commit: "8ab073067de0c9cd4a5a560885815c80c31abf6a", folder: "contracts" },
  { name: "graphprotocol/contracts", commit: "687d928b1336d1af594a3b0ed23326db6cb3a03f" },
  { name: "gmx-io/gmx-contracts", commit: "fe55c4ba8911ae2378b50bfb9bece5ee50cf2af8", folder: "contracts" },
  { name: "makerdao/dss", commit: "fa4f6630afb0624d04a003e920b0d71a00331d98", folder: "src" },
  { name: "livepeer/protocol", commit: "f225b10c62ce4baed0db14b2b9af1e19efee3b45", folder: "contracts" },
  { name: "rocket-pool/rocketpool", commit: "fef41a4f7cf99d7d66313c0ba04deb8ba2dabf88", folder: "contracts" },
  { name: "solana-labs/solana-program-library", commit: "264ca72de06b0c2b45c0b15d298000fe3f82db2e" },
  { name: "Squads-Protocol/v4", commit: "c14a6d607a4d5295c7df90499674418b57aff792", folder: "programs" },
  {
    name: "marinade-finance/liquid-staking-program",
    commit: "3e7c0904945a9fd6ddda6eddf10e19ab5b717a81",
    folder: "programs",
  },
  { name: "drift-labs/protocol-v2", commit: "4b6ada2da4ea16e8c7b4838f6fad71166c5a3d6a", folder: "programs" },
  { name: "mrgnlabs/marginfi-v2", commit: "3031ba3b3368314cfbc5fafa0086bf76f8f795e6", folder: "programs" },
  { name: "CosmWasm/cw-plus", commit: "2be5732a555e98d4f7ba759d9f1cd5b8bf126972" },
  { name: "DA0-DA0/dao-contracts", commit: "c05a6c8ac359249d12fb71a14a53284274b62360" },
  { name: "mars-protocol/rover", commit: "43234a025f984a7ba517b7e60ced532066619aae" },
]
