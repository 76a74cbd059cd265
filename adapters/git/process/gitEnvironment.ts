import * as Duration from "effect/Duration"

/** What a git process may do beyond reading and writing its own repository. */
export interface GitAccess {
  /** An empty home directory for the fetch; git finds no user configuration in it. */
  readonly home: string
  /** The transport that may be used; undefined for commands that need none. */
  readonly protocol: "https" | "http" | undefined
  readonly stallTime: Duration.Duration
  /** Further settings such as `http.<url>.extraHeader`: they reach git through the environment, never as arguments. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * The largest single allocation. A delta of a few bytes can ask for gigabytes; git then ends instead of the machine.
 */
const allocationLimit = "256m"

/** The path, and the operator's proxy and certificates, if configured. */
const inherited = ["PATH", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "GIT_SSL_CAINFO", "SSL_CERT_FILE"]

const hardening = ({ stallTime }: GitAccess): Readonly<Record<string, string>> => ({
  "core.hooksPath": "/dev/null",
  "core.symlinks": "false",
  "core.fsmonitor": "false",
  "core.autocrlf": "false",
  "core.protectNTFS": "true",
  "core.protectHFS": "true",
  "core.askPass": "",
  // Larger blobs are streamed through memory, not held in it.
  "core.bigFileThreshold": "16m",
  "credential.helper": "",
  "protocol.file.allow": "never",
  "protocol.ext.allow": "never",
  // `initial` would follow the first redirect to any host, even to a metadata address.
  "http.followRedirects": "false",
  "http.lowSpeedLimit": "1",
  "http.lowSpeedTime": String(Math.ceil(Duration.toSeconds(stallTime))),
  "submodule.recurse": "false",
  "transfer.bundleURI": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  // One pack instead of loose objects: 50,000 of them would take seconds to write.
  "fetch.unpackLimit": "1",
  "fetch.writeCommitGraph": "false",
  "pack.threads": "2",
})

/** The entire environment of a git process: from ours, only the path and the proxy; everything else is listed here. */
export const gitEnvironment = (access: GitAccess): Record<string, string> => {
  const environment: Record<string, string> = {
    HOME: access.home,
    XDG_CONFIG_HOME: access.home,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_ALLOW_PROTOCOL: access.protocol ?? "",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOC_LIMIT: allocationLimit,
  }
  for (const name of inherited) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  const settings = Object.entries({ ...hardening(access), ...access.settings })
  environment["GIT_CONFIG_COUNT"] = String(settings.length)
  for (const [index, [key, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}
