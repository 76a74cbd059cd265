import type { SourceFile } from "../SourceFile.ts"
import { pemKeys, solanaKeyPairs } from "./keyFiles.ts"
import { mnemonics } from "./mnemonics.ts"
import type { Secret } from "./Secret.ts"
import { serviceKeys } from "./serviceKeys.ts"
import { walletKeys } from "./walletKeys.ts"

const finders = [walletKeys, solanaKeyPairs, pemKeys, mnemonics, serviceKeys]

const known = new WeakMap<SourceFile, ReadonlyArray<Secret>>()

/** The secrets in a file, in source order and without overlaps. Each file is searched only once. */
export const secretsIn = (file: SourceFile): ReadonlyArray<Secret> => {
  const before = known.get(file)
  if (before !== undefined) return before
  let end = 0
  const secrets = finders
    .flatMap((find) => find(file))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((secret) => {
      if (secret.start < end) return false
      end = secret.end
      return true
    })
  known.set(file, secrets)
  return secrets
}
