import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

export interface RedisSettings {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: Redacted.Redacted | undefined
  readonly db: number
  readonly tls: boolean
}

const form = "it must look like redis://host:6379, redis://user:password@host:6379/0 or rediss://… for TLS"

/** Undefined if the percent signs in a part of the URL are not valid encodings. */
const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/**
 * The server that a `redis:` or `rediss:` URL names. The objection to a URL that names none repeats nothing of it,
 * since it may contain a password.
 */
export const parseRedisUrl = (text: string): Result.Result<RedisSettings, string> => {
  if (!URL.canParse(text)) return Result.fail(`is not a URL: ${form}`)
  const url = new URL(text)
  if (url.protocol !== "redis:" && url.protocol !== "rediss:") return Result.fail(`has an unsupported scheme: ${form}`)
  if (url.hostname === "") return Result.fail(`does not name a host: ${form}`)
  if (url.search !== "" || url.hash !== "")
    return Result.fail(`has a query or a fragment, which are not supported: ${form}`)
  const db = url.pathname.replace(/^\//, "")
  if (!/^\d{0,4}$/.test(db)) return Result.fail(`has a path that is not a database number: ${form}`)
  const [username, password] = [decoded(url.username), decoded(url.password)]
  if (username === undefined || password === undefined) {
    return Result.fail("has a user name or password with a percent sign that is not encoded as %25")
  }
  return Result.succeed({
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 6379 : Number(url.port),
    username: username === "" ? undefined : username,
    password: password === "" ? undefined : Redacted.make(password),
    db: Number(db),
    tls: url.protocol === "rediss:",
  })
}
