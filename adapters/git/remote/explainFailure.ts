import * as Duration from "effect/Duration"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { noAnswer, type SourceLimits } from "../../../domain/repository/SourceLimits.ts"
import { noSpaceLeft } from "../onDisk.ts"
import { unknownHost } from "./pinHost.ts"

/** Git's messages when a server requires credentials, or pretends not to have the repository. */
const closedRepository =
  /could not read Username|Authentication failed|terminal prompts disabled|error: 40[134]|[Rr]epository (?:'[^'\n]*' )?not found|HTTP 40[134]|remote error: access denied/

export const wantsCredentials = (stderr: string): boolean => closedRepository.test(stderr)

/** Git's messages when a repository has moved to another address. */
export const isRedirected = (stderr: string): boolean => /redirect|error: 30[12378]/i.test(stderr)

interface Explanation {
  readonly sign: RegExp
  readonly retryable: boolean
  /** Git ran into a limit that we set it. */
  readonly byLimit?: true
  readonly message: (where: {
    readonly url: string
    readonly host: string
    readonly limits: SourceLimits
    readonly isAuthorized: boolean
  }) => string
}

const missing = (url: string): string =>
  `The repository ${url} was not found, or it is private. Check the URL; private repositories need a hosting token.`

const closedToToken = (url: string): string =>
  `The repository ${url} was not found, or the hosting token may not read it. Check the URL and the token's scopes.`

/** Git's own words in the C locale (git 2.30 to 2.5x, curl 7 and 8), the most telling first. */
const explanations: ReadonlyArray<Explanation> = [
  {
    sign: /cannot run git|exec: \S*git: not found/,
    retryable: false,
    message: () => "The worker cannot run git. The operator must install it.",
  },
  {
    sign: /No space left on device/,
    retryable: true,
    message: () => noSpaceLeft,
  },
  {
    // Git's own words, not those of a server that ran out of it (`remote: …`).
    sign: /over limit \d|attempting to allocate|^(?:fatal|error): out of memory/im,
    retryable: false,
    byLimit: true,
    message: ({ url }) =>
      `The repository ${url} needs more memory than git may use: it has too many branches and tags, or objects that are too large.`,
  },
  {
    // A tree of 60,000 folders one in another overflows git's stack; since 2.43 it stops before that.
    sign: /ended by SIG(?:SEGV|BUS|ABRT)|died of signal (?:6|7|11)|maximum allowed tree depth/,
    retryable: false,
    byLimit: true,
    message: ({ url }) => `Git cannot read the repository ${url}: it is damaged, or its folders are nested too deeply.`,
  },
  {
    sign: closedRepository,
    retryable: false,
    message: ({ url, isAuthorized }) => (isAuthorized ? closedToToken(url) : missing(url)),
  },
  {
    sign: /redirect|error: 30[12378]|HTTP 30[12378]/i,
    retryable: false,
    message: ({ url }) => `${url} redirects elsewhere. Use the URL of the repository itself.`,
  },
  {
    sign: /error: 429|HTTP 429/,
    retryable: true,
    message: ({ host }) => `${host} is rate-limiting fetches. Retry later.`,
  },
  {
    sign: /error: 4(?!08)\d\d|HTTP 4(?!08)\d\d/,
    retryable: false,
    message: ({ url, host }) => `${host} refuses to serve ${url}: it may have been removed or blocked.`,
  },
  {
    sign: /error: 5\d\d|HTTP 5\d\d/,
    retryable: true,
    message: ({ host }) => `${host} responded with a server error. Retry later.`,
  },
  {
    sign: /timed out waiting for a response|timed? ?out/i,
    retryable: true,
    message: ({ host, limits }) => noAnswer(host, limits),
  },
  {
    sign: /Operation too slow/,
    retryable: true,
    message: ({ host, limits }) =>
      `${host} sent nothing for ${Duration.toSeconds(limits.stallTime)} seconds. Retry later.`,
  },
  {
    sign: /Could not resolve host/,
    retryable: true,
    message: ({ host }) => unknownHost(host),
  },
  {
    sign: /Failed to connect|Could(?:n't| not) connect|Connection refused|Network is unreachable|No route to host/,
    retryable: true,
    message: ({ host }) => `The host ${host} is unreachable. Retry later.`,
  },
  {
    sign: /SSL|certificate|TLS/,
    retryable: false,
    message: ({ host }) => `Could not establish a trusted TLS connection to ${host}: its certificate was rejected.`,
  },
  {
    sign: /not our ref|unadvertised object|couldn't find remote ref|no such remote ref/i,
    retryable: false,
    message: ({ url }) => `The branch, tag or commit does not exist in ${url}.`,
  },
  {
    sign: /not valid: is this a git repository|dumb http transport|does not appear to be a git repository/,
    retryable: false,
    message: ({ url }) => `There is no git repository at ${url}. Check the URL.`,
  },
  {
    sign: /hung up|early EOF|unexpected disconnect|RPC failed|Connection (?:was )?reset|Empty reply|Recv failure|transfer closed|bad pack|unpack|index-pack|invalid pack|protocol error|bad line length|expected flush/i,
    retryable: true,
    message: ({ host }) => `The transfer from ${host} was interrupted or corrupted. Retry later.`,
  },
]

/** Whether the meaning of a failure is known. */
export const isExplained = (stderr: string): boolean => explanations.some(({ sign }) => sign.test(stderr))

/** What a user can do about a failed git command; nothing of git's own words, which may hold local paths. */
export const explainFailure = (
  stderr: string,
  url: string,
  limits: SourceLimits,
  isAuthorized = false,
): SourceError => {
  const found = explanations.find(({ sign }) => sign.test(stderr))
  const host = new URL(url).host
  if (found === undefined) {
    return new SourceError({ message: `The repository ${url} could not be fetched. Retry later.`, retryable: true })
  }
  const { retryable, byLimit = false } = found
  return new SourceError({ message: found.message({ url, host, limits, isAuthorized }), retryable, byLimit })
}
