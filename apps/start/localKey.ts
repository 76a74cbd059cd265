import { chmod, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { makeStartToken } from "../../application/identity/startLink.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { scopes } from "../../domain/identity/Caller.ts"
import { Refusal } from "../runMain.ts"

const localUser = "local@localhost"

const attempt = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new Refusal(`${what}: ${String(error)}`) })

export interface LocalKey {
  readonly apiKey: string
  /** Its file, readable by its owner only. */
  readonly file: string
  /** Whether this start created it. */
  readonly isNew: boolean
}

/** The token of a link that signs the local user in, once. */
export const startToken = Effect.gen(function* () {
  const accounts = yield* Accounts
  const userId = yield* accounts.userByEmail(localUser)
  return Option.isNone(userId) ? undefined : yield* makeStartToken(userId.value)
})

/** The API key of the local user on the pro plan; created on the first start, read from its file on later ones. */
export const localKey = Effect.fnUntraced(function* (dataDirectory: string) {
  const file = join(dataDirectory, "api-key")
  const known = yield* attempt(`Could not read the API key from ${file}`, () =>
    readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined
      throw error
    }),
  )
  if (known !== undefined) return { apiKey: known.trim(), file, isNew: false } satisfies LocalKey

  const accounts = yield* Accounts
  const existing = yield* accounts.userByEmail(localUser)
  const userId = yield* Option.match(existing, {
    onNone: () => accounts.createUser(localUser, "pro"),
    onSome: Effect.succeed,
  })
  const { apiKey } = yield* issueApiKey({ userId, name: "local", scopes, expiresAt: undefined })
  yield* attempt(`Could not write the API key to ${file}`, async () => {
    const draft = `${file}.${process.pid}.tmp`
    await writeFile(draft, `${apiKey}\n`, { mode: 0o600 })
    await chmod(draft, 0o600)
    await rename(draft, file)
  })
  return { apiKey, file, isNew: true } satisfies LocalKey
})
