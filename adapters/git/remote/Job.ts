import { join } from "node:path"
import { type SourceCredential, SourceError } from "../../../application/ports/SourceFetcher.ts"
import type { AllowedHosts } from "../../../domain/repository/RepositoryUrl.ts"
import type { SourceLimits } from "../../../domain/repository/SourceLimits.ts"
import { authorizationHeader } from "./authorizationHeader.ts"
import { gitEnvironment } from "../process/gitEnvironment.ts"
import { curlResolve, type PinnedHost } from "./pinHost.ts"
import type { StartProcess } from "../process/GitProcess.ts"
import type { GitCommand } from "../process/runGit.ts"

/** A repository being fetched: where it comes from, and where git works on it. */
export interface Job {
  readonly url: string
  /** Opens repositories of its origin, once `isAuthorized`. */
  readonly credential: SourceCredential | undefined
  readonly isAuthorized: boolean
  readonly addresses: PinnedHost | undefined
  readonly allowedHosts: AllowedHosts
  readonly directory: string
  readonly limits: SourceLimits
  readonly start: StartProcess
}

const networkSettings = (job: Job): Readonly<Record<string, string>> => {
  const authorization = authorizationHeader(job)
  return {
    ...(authorization === undefined
      ? {}
      : { [`http.${new URL(job.url).origin}/.extraHeader`]: `Authorization: ${authorization}` }),
    ...(job.addresses === undefined ? {} : { "http.curloptResolve": curlResolve(job.addresses) }),
  }
}

/** A git command in the job's repository, with or without access to the network. */
export const command = (
  job: Job,
  access: "network" | "local",
  gitArguments: ReadonlyArray<string>,
  more: Pick<GitCommand, "input" | "onStderr"> = {},
): GitCommand => ({
  start: job.start,
  arguments: gitArguments,
  directory: join(job.directory, "repository"),
  environment: gitEnvironment({
    home: join(job.directory, "home"),
    protocol: access === "local" ? undefined : job.url.startsWith("http:") ? "http" : "https",
    stallSeconds: job.limits.stallSeconds,
    ...(access === "local" ? {} : { settings: networkSettings(job) }),
  }),
  ...more,
})

export const refuse = (message: string): SourceError => new SourceError({ message, retryable: false })
