import { before, nameIn } from "./context.ts"
import { developmentKeys } from "./developmentKeys.ts"
import { longRuns, runCharacters } from "./longRuns.ts"
import { isPlaceholder } from "./placeholder.ts"
import type { Secret, SecretFinder } from "./Secret.ts"

/** What private keys are used for and what they are called. 32 bytes alone could just as well be a hash. */
const asKey =
  /priv(?:ate)?[_ -]?key|(?:secret|signer|signing|deployer|wallet|owner|admin|keeper|relayer|operator)(?:'s)?[_ -]?(?:private[_ -]?)?(?:key|pk)\b|\bpk\b|_pk\b|\w(?:PK|Pk)\b|keypair|\bWallet\s*\(|startBroadcast\s*\(|\.broadcast\s*\(|\bvm\.(?:addr|sign|rememberKey)\s*\(|from_?(?:secret_?)?key\s*\(|KeyToAccount\s*\(|accounts["']?\s*:\s*\[/i
const asOther =
  /hash|topic|selector|slot|salt|digest|root|bytecode|signature|public|pub_?key|commit|\btx|guid|feed|domain|program_?id|address/i

const word = runCharacters(/\w/)
const scalar = /^(?:0x)?([0-9a-f]{64})$/i
/** 64 bytes in base58, the format in which Solana wallets export a key pair. */
const exported = /^[1-9A-HJ-NP-Za-km-z]{87,88}$/

/** The order of secp256k1; a larger number is not a key. */
const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

const isKey = (digits: string): boolean =>
  digits < order && !/^(?:0{16}|f{16})/.test(digits) && !developmentKeys.has(digits) && !isPlaceholder(digits)

const isExported = (token: string): boolean => exported.test(token) && /[a-z]/.test(token) && /[A-Z]/.test(token)

/** Wallet keys in hexadecimal and base58, if the text before them says that they are keys. */
export const walletKeys: SecretFinder = ({ text }) => {
  const found: Array<Secret> = []
  let listEnd = -1
  for (const { run: token, start } of longRuns(text, word, 64, 88)) {
    const digits = scalar.exec(token)?.[1]?.toLowerCase()
    if (digits === undefined && !isExported(token)) continue
    const segment = before(text, start)
    // The second key in a list is preceded only by a comma.
    const goesOn = listEnd !== -1 && start - listEnd < 40 && !/[^\s"',]/.test(text.slice(listEnd, start))
    if (!goesOn && (!asKey.test(segment) || asOther.test(segment))) continue
    listEnd = start + token.length
    if (digits === undefined ? isPlaceholder(token) : !isKey(digits)) continue
    const what = digits === undefined ? "a Solana wallet's key pair" : "a wallet's private key"
    found.push({ kind: "private-key", what, name: nameIn(segment), start, end: listEnd })
  }
  return found
}
