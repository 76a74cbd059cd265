import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Result from "effect/Result"
import { formatSecretKeys, generateSecretKey, parseSecretKeys, type SecretKey } from "./SecretKey.ts"

/** The source of a vault's keys, the current one first. */
export interface SecretKeySource {
  readonly read: () => ReadonlyArray<SecretKey>
  /** Undefined if we cannot create keys. */
  readonly addKey: ((now: Date) => void) | undefined
}

/** Keys from the configuration. */
export const configuredKeys = (keys: ReadonlyArray<SecretKey>): SecretKeySource => ({
  read: () => keys,
  addKey: undefined,
})

const write = (file: string, keys: ReadonlyArray<SecretKey>, place: (draft: string, file: string) => void): void => {
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, `${formatSecretKeys(keys)}\n`, { mode: 0o600 })
    chmodSync(draft, 0o600)
    place(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** If several processes create the first key simultaneously, the first link wins. */
const placeUnlessThere = (draft: string, file: string): void => {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  }
}

/** Keys in a file that only its owner can read; created with one random key if missing. */
export const secretKeyFile = (file: string): SecretKeySource => {
  const read = (): ReadonlyArray<SecretKey> => {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      write(file, [generateSecretKey(new Date())], placeUnlessThere)
    }
    return Result.getOrThrowWith(
      parseSecretKeys(readFileSync(file, "utf8")),
      (reason) => new Error(`The key file ${file} is damaged. ${reason}`),
    )
  }
  return { read, addKey: (now) => write(file, [generateSecretKey(now), ...read()], renameSync) }
}
