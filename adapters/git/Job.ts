import { join } from "node:path"
import { SourceError } from "../../application/ports/SourceFetcher.ts"
import type { AllowedHosts } from "../../domain/repository/RepositoryUrl.ts"
import type { SourceLimits } from "../../domain/repository/SourceLimits.ts"
import { gitEnvironment } from "./gitEnvironment.ts"
import type { GitCommand } from "./runGit.ts"

/** A repository being fetched: where it comes from, and where git works on it. */
export interface Job {
  readonly url: string
  readonly allowedHosts: AllowedHosts
  readonly directory: string
  readonly limits: SourceLimits
}

/** A git command in the job's repository, with or without access to the network. */
export const command = (
  { url, directory, limits }: Job,
  access: "network" | "local",
  gitArguments: ReadonlyArray<string>,
  more: Pick<GitCommand, "input" | "onStderr"> = {},
): GitCommand => ({
  arguments: gitArguments,
  directory: join(directory, "repository"),
  environment: gitEnvironment({
    home: join(directory, "home"),
    protocol: access === "local" ? undefined : url.startsWith("http:") ? "http" : "https",
    stallSeconds: limits.stallSeconds,
  }),
  ...more,
})

export const refuse = (message: string): SourceError => new SourceError({ message, retryable: false })
