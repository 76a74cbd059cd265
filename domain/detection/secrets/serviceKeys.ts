import { before, nameIn } from "./context.ts"
import { publicServiceKeys } from "./developmentKeys.ts"
import { longRuns, runCharacters } from "./longRuns.ts"
import { isPlaceholder } from "./placeholder.ts"
import type { Secret, SecretFinder } from "./Secret.ts"

/** Tokens that can be recognized by their format alone. */
const forms: ReadonlyArray<readonly [form: RegExp, what: string]> = [
  [/^A[KS]IA[0-9A-Z]{16}$/, "an AWS access key"],
  [/^gh[pousr]_[A-Za-z0-9]{36,}$/, "a GitHub token"],
  [/^github_pat_\w+$/, "a GitHub token"],
  [/^glpat-[\w-]{20,}$/, "a GitLab token"],
  [/^xox[abprs]-[\w-]{20,}$/, "a Slack token"],
  [/^AIza[\w-]{35}$/, "a Google API key"],
  [/^[rs]k_live_[A-Za-z0-9]{20,}$/, "a Stripe live key"],
  [/^npm_[A-Za-z0-9]{36}$/, "an npm token"],
  [/^sk-ant-[\w-]{20,}$/, "an Anthropic API key"],
  [/^sk-proj-[\w-]{20,}$/, "an OpenAI API key"],
]

const inUrl =
  /(?:infura\.io\/(?:ws\/)?v3|alchemy(?:api)?\.(?:com|io)\/v2|quiknode\.pro|getblock\.io|blastapi\.io|chainstack\.com|rpcpool\.com|tenderly\.co|ankr\.com\/[a-z_]+|(?:helius-rpc|drpc)\.[a-z]+\/[a-z]*\?[a-z=&]*(?:api-?key|dkey)=?)[/=]?$/
const inName = /(?:infura|alchemy|etherscan|bscscan|polygonscan|arbiscan|snowtrace|quicknode|helius|ankr|moralis)/i
const secretOfAws = /aws_?secret_?(?:access_?)?key/i

const ofTokens = runCharacters(/[\w-]/)
const ofBase64 = runCharacters(/[A-Za-z0-9+/]/)

const isMixed = (token: string): boolean => /[0-9]/.test(token) && /[A-Za-z]/.test(token)

/** The name that a value is assigned to, or an empty string. */
const assigned = (segment: string): string => {
  const last = [...segment.matchAll(/\w+/g)].at(-1)
  if (last === undefined) return ""
  return /^["']?\s?(?::|=>?)\s?["'`]?$/.test(segment.slice(last.index + last[0].length)) ? last[0] : ""
}

/** Keys of RPC services, block explorers and cloud providers. */
export const serviceKeys: SecretFinder = ({ text }) => {
  const found: Array<Secret> = []
  for (const { run: token, start } of longRuns(text, ofTokens, 20, 200)) {
    if (!isMixed(token) || isPlaceholder(token)) continue
    const end = start + token.length
    const form = forms.find(([one]) => one.test(token))
    const segment = before(text, start)
    if (form !== undefined) {
      found.push({ kind: "cloud-key", what: form[1], name: nameIn(segment), start, end })
    } else if (token.length >= 24 && token.length <= 64 && !publicServiceKeys.has(token)) {
      const named = assigned(segment)
      const isNamed = token.length >= 32 && inName.test(named) && /key|token|secret|id/i.test(named)
      if (!isNamed && !inUrl.test(segment)) continue
      const what = isNamed
        ? "an API key of an RPC service or block explorer"
        : "an API key in the URL of an RPC service"
      found.push({ kind: "rpc-key", what, name: isNamed ? named : nameIn(segment), start, end })
    }
  }
  if (!/aws/i.test(text)) return found
  for (const { run: token, start } of longRuns(text, ofBase64, 40, 40)) {
    const segment = isPlaceholder(token) ? "" : before(text, start)
    if (!secretOfAws.test(segment)) continue
    found.push({ kind: "cloud-key", what: "an AWS secret key", name: nameIn(segment), start, end: start + 40 })
  }
  return found
}
