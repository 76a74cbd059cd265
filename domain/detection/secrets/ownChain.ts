import type { SourceFile } from "../SourceFile.ts"
import { isForLocalNetwork } from "./localNetwork.ts"
import type { Secret } from "./Secret.ts"

/** Names of local chains and of code for trying things out. */
const ownWords: ReadonlySet<string> = new Set([
  "demo",
  "demos",
  "local",
  "localnet",
  "devnet",
  "testnet",
  "test",
  "tests",
  "testing",
  "e2e",
  "mock",
  "mocks",
  "fixture",
  "fixtures",
])

/** `.env.example` is copied, and the copy is filled in. */
const isTemplate = /\.(?:example|sample|template|dist)$/
/** `.env.local` holds whatever its owner really uses. */
const environment = /(?:^|\/)\.env[^/]*$/

const wordsIn = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const isOwn = (text: string): boolean => wordsIn(text).some((word) => ownWords.has(word))

/**
 * Commands that fund accounts in the genesis block, a key ring without a password, and configuration files of tools
 * that start a local chain.
 */
const startsChain =
  /add-genesis-account|collect-gentxs|\bgentx\b|keyring-backend[= ]"?test\b|solana-test-validator|^genesis:|^ +coins: ?\[/m

/** The text of a secret. */
export const valueOf = (file: SourceFile, { start, end }: Secret): string => file.text.slice(start, end)

/** Whether a file belongs to tests or to a chain that somebody runs locally. Reads the whole file. */
const isOwnPlace = (file: SourceFile): boolean =>
  isOwn(file.path.replace(environment, "")) || isTemplate.test(file.path) || startsChain.test(file.text)

/**
 * Whether the code at a place is for a local chain or for tests: the key guards nothing there, although it must not be
 * used elsewhere. The answer is cached per repository, since a file may hold thousands of keys.
 */
export const forOwnChain = (): ((file: SourceFile, secret: Secret) => boolean) => {
  const places = new Map<SourceFile, boolean>()
  const isAtOwnPlace = (file: SourceFile): boolean => {
    const known = places.get(file)
    if (known !== undefined) return known
    const found = isOwnPlace(file)
    places.set(file, found)
    return found
  }
  return (file, { name, start }) => isOwn(name) || isForLocalNetwork(file.text, start) || isAtOwnPlace(file)
}
