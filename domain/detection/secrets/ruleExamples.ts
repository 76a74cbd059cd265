import type { RuleExamples } from "../Rule.ts"
import type { SecretKind } from "./Secret.ts"

/** Made up for these examples; none of them was ever used to sign or unlock anything. */
export const secretExamples: Record<SecretKind, RuleExamples> = {
  "private-key": {
    file: ".env",
    vulnerable: [
      `RPC_URL=https://eth.llamarpc.com
PRIVATE_KEY=0x436945b08fe11cd3ac60bff4a3e95b53c043c2504962d0ef7d0d028a7cf95723 # FINDING
`,
      `export DEPLOYER_PK="7409b07c0f685717ccd838ff2866622a5e0cd270212e5c793435f4dcdb3aec6d" # FINDING
`,
    ],
    safe: [
      `# The first account of Anvil
PRIVATE_KEY=0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80
`,
      `PRIVATE_KEY=0x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
`,
      `# A hash is not a key
ROLE_HASH=0x436945b08fe11cd3ac60bff4a3e95b53c043c2504962d0ef7d0d028a7cf95723
`,
      `PRIVATE_KEY=$VAULT_PRIVATE_KEY
`,
    ],
  },
  mnemonic: {
    file: ".env",
    vulnerable: [
      `MNEMONIC="distance measure convince crop vault apart mass glue peasant warm copper camera" # FINDING
`,
      `DEPLOYER_SEED='valid village copper fish sniff vehicle globe army crunch fantasy object battle october pave spawn outdoor attitude control come sing lake until unfair leader' # FINDING
`,
    ],
    safe: [
      `MNEMONIC="test test test test test test test test test test test junk"
`,
      `# Twelve words of the list, but no mnemonic: the checksum is wrong
MNEMONIC="distance measure convince crop vault apart mass glue peasant warm copper cabin"
`,
    ],
  },
  "rpc-key": {
    file: ".env",
    vulnerable: [
      `MAINNET_RPC_URL=https://mainnet.infura.io/v3/baa619763db715addd7967886ccaa97c # FINDING
`,
      `SEPOLIA_RPC_URL=https://eth-sepolia.g.alchemy.com/v2/KaExLc0HxOCF95nc_d4bF8MNso9vhd-I # FINDING
`,
    ],
    safe: [
      `MAINNET_RPC_URL=https://mainnet.infura.io/v3/YOUR_INFURA_PROJECT_ID_GOES_HERE
`,
      `MAINNET_RPC_URL=https://eth.llamarpc.com
SEPOLIA_RPC_URL=https://eth-sepolia.g.alchemy.com/v2/\${ALCHEMY_KEY}
`,
    ],
  },
  "cloud-key": {
    file: ".env",
    vulnerable: [
      `AWS_ACCESS_KEY_ID=AKIAWSCIDY6LC2IPXYOS # FINDING
`,
      `GITHUB_TOKEN=ghp_kYEqJjyXmwAOpNA3XlRkz0zpYcqr2OuoDzBk # FINDING
`,
    ],
    safe: [
      `# The example of AWS's own documentation
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
`,
      `GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
`,
    ],
  },
}
