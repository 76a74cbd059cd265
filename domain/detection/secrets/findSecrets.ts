import type { SourceFile } from "../SourceFile.ts"
import { oncePer } from "../oncePer.ts"
import { pemKeys, solanaKeyPairs } from "./keyFiles.ts"
import { mnemonics } from "./mnemonics.ts"
import type { Secret } from "./Secret.ts"
import { serviceKeys } from "./serviceKeys.ts"
import { walletKeys } from "./walletKeys.ts"

const finders = [walletKeys, solanaKeyPairs, pemKeys, mnemonics, serviceKeys]

/** The secrets in a file, in source order and without overlaps. Each file is searched only once. */
export const secretsIn = oncePer((file: SourceFile): ReadonlyArray<Secret> => {
  let end = 0
  return finders
    .flatMap((find) => find(file))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((secret) => {
      if (secret.start < end) return false
      end = secret.end
      return true
    })
})
