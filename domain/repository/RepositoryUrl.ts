import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The URL of a repository in its normal form, as returned by `parseRepositoryUrl`. */
export const RepositoryUrl = Schema.String.pipe(Schema.brand("RepositoryUrl"))
export type RepositoryUrl = typeof RepositoryUrl.Type

/** Origins from which repositories may be fetched, such as `https://github.com`. */
export type AllowedHosts = ReadonlySet<string>

const github = "https://github.com"

export const defaultAllowedHosts: AllowedHosts = new Set([github])

const maxLength = 2_048

const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const isHost = (host: string): boolean =>
  /^\[[0-9a-f:.]+\]$/.test(host) || host.split(".").every((label) => labelPattern.test(label))
const segmentPattern = /^[A-Za-z0-9._~+@-]+$/
const ownerPattern = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/
const namePattern = /^[A-Za-z0-9._-]{1,100}$/

/** Names that lead to a host by a redirect, which fetching does not follow. */
const canonical: Readonly<Record<string, string>> = { "https://www.github.com": github }

const originOf = (scheme: string, host: string, port: string | undefined): string => {
  const standard = scheme === "https" ? 443 : 80
  const origin = `${scheme}://${host}${port === undefined || Number(port) === standard ? "" : `:${Number(port)}`}`
  return canonical[origin] ?? origin
}

const withoutHttps = (origin: string): string => origin.replace(/^https:\/\//, "")

const validPort = (port: string | undefined): boolean =>
  port === undefined || (Number(port) > 0 && Number(port) < 65_536)

/**
 * Reads the configured list of additional hosts, separated by commas: `git.example.com` and `git.example.com:8443`
 * allow https, `http://127.0.0.1:8080` allows plain http on exactly that host and port. `github.com` is always
 * included. The failure says which entry is wrong.
 */
export const parseAllowedHosts = (list: string): Result.Result<AllowedHosts, string> => {
  const origins = new Set(defaultAllowedHosts)
  for (const entry of list.split(",").map((entry) => entry.trim())) {
    if (entry === "") continue
    const [, scheme = "https", host = "", port] =
      /^(?:(https?):\/\/)?(\[[^\]]*\]|[^:/]*)(?::(\d{1,5}))?$/.exec(entry.toLowerCase()) ?? []
    if (!isHost(host) || !validPort(port)) {
      return Result.fail(
        `"${entry.slice(0, 100)}" is not a host: use a form like git.example.com, git.example.com:8443 or http://127.0.0.1:8080`,
      )
    }
    origins.add(originOf(scheme, host, port))
  }
  return Result.succeed(origins)
}

const example = "https://github.com/owner/name"

/** Problems with a text as a whole, checked before its parts. */
const objection = (text: string): string | undefined => {
  if (text === "") return `is empty: use a URL like ${example}`
  if (text.length > maxLength) return `is longer than ${maxLength} characters`
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return "must not contain control characters"
  if (/\s/.test(text)) return "must not contain white space"
  if (text.startsWith("-")) return `must not start with a dash: use a URL like ${example}`
  if (text.includes("\\")) return "must not contain a backslash"
  if (/[^\u0021-\u007e]/.test(text)) {
    return "must be ASCII: use the xn-- form of international host names"
  }
  if (/^https?:\/\//i.test(text)) return undefined
  if (/^ssh:/i.test(text) || /^[^/@:]+@[^/:]+:/.test(text)) return `must be the https URL, like ${example}, not SSH`
  return `must start with https://, like ${example}`
}

const pathObjection = (path: string): string | undefined => {
  if (path.includes("%")) return "must not contain percent-encoded characters"
  const segments = path.split("/")
  if (segments.some((segment) => segment === "")) return "must not contain an empty path segment"
  if (segments.some((segment) => /^\.+(?:git)?$/.test(segment))) return "must not contain a path segment of dots"
  if (segments.some((segment) => segment.startsWith("-"))) {
    return "must not contain a path segment that starts with a dash"
  }
  return segments.every((segment) => segmentPattern.test(segment))
    ? undefined
    : "contains a character that is not valid in a repository path"
}

/** `owner/name` of a path on GitHub, where a repository responds with and without `.git`. */
const githubPath = (path: string): Result.Result<string, string> => {
  const [owner = "", name = "", page] = path.split("/")
  const bare = name.replace(/\.git$/i, "")
  if (!ownerPattern.test(owner) || !namePattern.test(bare))
    return Result.fail(`does not name a repository: use ${example}`)
  return page === undefined
    ? Result.succeed(`${owner}/${bare}`)
    : Result.fail(`is the URL of a page: use ${github}/${owner}/${bare}, and set the branch in "branch"`)
}

const notAllowed = (scheme: string, host: string, port: string | undefined, allowed: AllowedHosts): string => {
  if (scheme === "http" && allowed.has(originOf("https", host, port))) return "must use https"
  const names = [...allowed].map(withoutHttps).join(", ")
  return `is on ${withoutHttps(originOf(scheme, host, port)).slice(0, 100)}, which is not among the allowed hosts: ${names}`
}

/**
 * Reads the URL of a repository to analyze: plain https (or http, if configured) on an allowed host and nothing else,
 * so that nothing that it rejects ever reaches git. Returns its normal form: scheme and host in lower case, no default
 * port, no trailing slash, on GitHub no `.git`. The failure says what is wrong, to follow the name of a field, and
 * never repeats credentials.
 */
export const parseRepositoryUrl = (text: string, allowed: AllowedHosts): Result.Result<RepositoryUrl, string> => {
  const wrong = objection(text)
  if (wrong !== undefined) return Result.fail(wrong)
  const [, scheme = "", authority = "", rest = ""] = /^(https?):\/\/([^/?#]*)([^]*)$/i.exec(text) ?? []
  if (authority.includes("@")) {
    return Result.fail("must not contain credentials: for private repositories, set a hosting token in the settings")
  }
  if (/[?#]/.test(rest)) return Result.fail("must not contain a query or a fragment")
  const [, host = "", port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority.toLowerCase()) ?? []
  if (host.endsWith(".")) return Result.fail("must not have a trailing dot in its host")
  if (!isHost(host) || !validPort(port)) return Result.fail("does not have a valid host")
  const origin = originOf(scheme.toLowerCase(), host, port)
  if (!allowed.has(origin)) return Result.fail(notAllowed(scheme.toLowerCase(), host, port, allowed))

  const path = rest.replace(/^\//, "").replace(/\/$/, "")
  if (path === "") return Result.fail(`does not name a repository: use a URL like ${origin}/owner/name`)
  const wrongPath = pathObjection(path)
  if (wrongPath !== undefined) return Result.fail(wrongPath)
  // Other servers may know a repository under only one of the two names, so `.git` is kept.
  return Result.map(origin === github ? githubPath(path) : Result.succeed(path), (path) =>
    RepositoryUrl.make(`${origin}/${path}`),
  )
}
