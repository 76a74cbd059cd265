import { join } from "node:path"
import { type SourceCredential, SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import type { AllowedHosts, RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"
import type { SourceLimits } from "../../../domain/repository/SourceLimits.ts"
import { authorizationHeader } from "./authorizationHeader.ts"
import { gitEnvironment } from "../process/gitEnvironment.ts"
import { curlResolve, type PinnedHost } from "./pinHost.ts"
import type { StartProcess } from "../process/GitProcess.ts"
import type { GitCommand } from "../process/runGit.ts"

/** A repository being fetched: where it comes from, and where git works on it. */
export interface FetchContext {
  readonly url: RepositoryUrl
  /** Grants access to repositories of its origin, once `isAuthorized`. */
  readonly credential: SourceCredential | undefined
  readonly isAuthorized: boolean
  readonly addresses: PinnedHost | undefined
  readonly allowedHosts: AllowedHosts
  readonly directory: string
  readonly limits: SourceLimits
  readonly start: StartProcess
}

const networkSettings = (context: FetchContext): Readonly<Record<string, string>> => {
  const authorization = authorizationHeader(context)
  return {
    ...(authorization === undefined
      ? {}
      : { [`http.${new URL(context.url).origin}/.extraHeader`]: `Authorization: ${authorization}` }),
    ...(context.addresses === undefined ? {} : { "http.curloptResolve": curlResolve(context.addresses) }),
  }
}

/** A git command in the fetch's repository, with or without access to the network. */
export const command = (
  context: FetchContext,
  access: "network" | "local",
  gitArguments: ReadonlyArray<string>,
  more: Pick<GitCommand, "input" | "onStderr"> = {},
): GitCommand => ({
  start: context.start,
  arguments: gitArguments,
  directory: join(context.directory, "repository"),
  environment: gitEnvironment({
    home: join(context.directory, "home"),
    protocol: access === "local" ? undefined : context.url.startsWith("http:") ? "http" : "https",
    stallTime: context.limits.stallTime,
    ...(access === "local" ? {} : { settings: networkSettings(context) }),
  }),
  ...more,
})

export const refuse = (message: string): SourceError => new SourceError({ message, retryable: false })
