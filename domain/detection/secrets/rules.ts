import type { Ecosystem } from "../../analysis/Framework.ts"
import type { Confidence } from "../../finding/Severity.ts"
import type { Match, Place, Rule, RuleExamples, RuleMeta } from "../Rule.ts"
import { forOwnChain, valueOf } from "./ownChain.ts"
import { secretExamples } from "./ruleExamples.ts"
import { type Secret, type SecretKind, secretKinds } from "./Secret.ts"

export interface Leak extends Secret {
  readonly file: Place["file"]
}

/** What secret rules ask of a project. */
export interface Leaks {
  readonly leaks: () => ReadonlyArray<Leak>
}

type Told = Pick<RuleMeta, "class" | "title" | "severity" | "description" | "remediation" | "references"> & {
  readonly name: string
}

const rotate =
  "Removing it from the files is not enough, because the history, forks and caches keep it. Load it from the environment or a secret store"

const told: Record<SecretKind, Told> = {
  "private-key": {
    name: "committed-private-key",
    class: "committed-secret",
    title: "Private key committed to the repository",
    // What the account owns, and on which network, is not in the repository.
    severity: "high",
    description:
      "The repository contains a private key. Anyone who can read the repository, its history or a copy of it can sign with that key: they can take everything the account owns and use all of its privileges, from upgrading contracts to minting. Bots search public repositories for such keys and empty accounts within minutes. Placeholders and the well-known keys of development tools are not reported.",
    remediation: `Move funds and privileges to a new account immediately, and never use this key again. ${rotate}, or sign with a hardware wallet.`,
    references: ["https://www.getfoundry.sh/reference/cast/wallet/import", "https://owasp.org/www-project-top-ten/"],
  },
  mnemonic: {
    name: "committed-mnemonic",
    class: "committed-secret",
    title: "Wallet mnemonic committed to the repository",
    severity: "high",
    description:
      "The repository contains a mnemonic with a valid checksum. Anyone who can read the repository, its history or a copy of it controls every account derived from it, on every chain. The well-known mnemonics of development tools and their documentation are not reported.",
    remediation: `Move the funds and privileges of all accounts derived from it to new ones immediately. ${rotate}, and keep the mnemonics of privileged accounts on a hardware wallet.`,
    references: ["https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki"],
  },
  "rpc-key": {
    name: "committed-rpc-key",
    class: "committed-secret",
    title: "RPC service key committed to the repository",
    severity: "medium",
    description:
      "The repository contains a key for an RPC service or an explorer. Others can use up its quota at its owner's expense, until everything that depends on it stops: keepers that liquidate, oracles that update, monitors that alert. It also reveals the owner's plan and addresses. Placeholders and the public keys of libraries are not reported.",
    remediation: `Revoke the key at the service and create a new one. ${rotate}.`,
    references: ["https://docs.metamask.io/services/how-to/secure-an-api/"],
  },
  "cloud-key": {
    name: "committed-cloud-key",
    class: "committed-secret",
    title: "Cloud service key committed to the repository",
    severity: "high",
    description:
      "The repository contains a credential for a cloud or development service. Anyone who can read the repository, its history or a copy of it can use that credential: they can read the data stored there, change what is built and released, and run machines at its owner's expense. Placeholders and examples from documentation are not reported.",
    remediation: `Revoke the credential at the service, and check its log for use by others. ${rotate}.`,
    references: ["https://docs.github.com/en/code-security/secret-scanning/introduction/about-secret-scanning"],
  },
}

/** Files among tests and templates are more often meant to be public. */
const isForShow = /(?:^|\/)(?:tests?|mocks?|fixtures|examples?|docs?)\/|\.t\.sol$|example|sample|template/i

const confidenceIn = (path: string): Confidence => (isForShow.test(path) ? "medium" : "high")

/** Reasons why a leak is worth less: the key is for a local chain, or is already publicly known. */
interface Standing {
  readonly isForOwnChain: boolean
  readonly earlier: Leak | undefined
}

const standings = (leaks: ReadonlyArray<Leak>): ReadonlyMap<Leak, Standing> => {
  const isForOwnChain = forOwnChain()
  const own = new Set(leaks.filter((leak) => isForOwnChain(leak.file, leak)).map((leak) => valueOf(leak.file, leak)))
  const first = new Map<string, Leak>()
  const found = new Map<Leak, Standing>()
  for (const leak of leaks) {
    const value = valueOf(leak.file, leak)
    found.set(leak, { isForOwnChain: own.has(value), earlier: first.get(value) })
    if (!first.has(value)) first.set(value, leak)
  }
  return found
}

/** Reasons that apply to wallet keys only: a service's key costs its owner money wherever it is used. */
const isOfWallet = (kind: SecretKind): boolean => kind === "mnemonic" || kind === "private-key"

const matchOf = (leak: Leak, { isForOwnChain: isOwn, earlier }: Standing): Match => {
  const { file, start, end, kind, what, name } = leak
  const isLocal = isOwn && isOfWallet(kind)
  const notes = [
    `This is ${what}${name === "" ? "" : `, in \`${name}\``}. It is masked here and in every report.`,
    ...(isLocal ? ["It is used for tests or a local chain; never use it for anything else."] : []),
    ...(earlier === undefined ? [] : [`The same one is in ${earlier.file.path}.`]),
  ]
  return {
    file,
    span: { start, end },
    scope: name,
    message: notes.join(" "),
    confidence: confidenceIn(file.path),
    ...(isLocal || earlier !== undefined ? { severity: "low" as const } : {}),
  }
}

const secretRule = (ecosystem: Ecosystem, kind: SecretKind): Rule<Leaks> => {
  const { name, ...meta } = told[kind]
  const examples: RuleExamples = secretExamples[kind]
  return {
    meta: { ...meta, id: `${ecosystem}/access-control/${name}`, confidence: "high", cwe: [798, 540] },
    examples,
    everywhere: true,
    check: ({ leaks }, report) => {
      const all = leaks()
      const standing = standings(all)
      for (const leak of all) if (leak.kind === kind) report(matchOf(leak, standing.get(leak)!)) // Each has one.
    },
  }
}

export const secretRulesOf = (ecosystem: Ecosystem): ReadonlyArray<Rule<Leaks>> =>
  secretKinds.map((kind) => secretRule(ecosystem, kind))

/** Every rule about secrets. */
export const secretRules: ReadonlyArray<Rule<Leaks>> = (["cosmwasm", "evm", "solana"] as const).flatMap(secretRulesOf)
