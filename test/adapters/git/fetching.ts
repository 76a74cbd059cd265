import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import * as GitSourceFetcher from "../../../adapters/git/GitSourceFetcher.ts"
import type { Resolve } from "../../../adapters/git/remote/pinHost.ts"
import { type SourceCredential, SourceFetcher } from "../../../application/ports/analysis/SourceFetcher.ts"
import type { SourceLimits } from "../../../domain/repository/SourceLimits.ts"
import { type GitServer, startGitServer } from "../../support/gitServer.ts"

export interface Harness {
  readonly server: GitServer
  readonly workDirectory: string
}

/** A git server and a work directory for the tests of one file. */
export const gitHarness = (): Harness => {
  let server: GitServer | undefined
  let workDirectory: string | undefined
  beforeAll(async () => {
    server = await startGitServer()
    workDirectory = await mkdtemp(join(tmpdir(), "assay-work-"))
  })
  afterAll(async () => {
    await server?.close()
    if (workDirectory !== undefined) await rm(workDirectory, { recursive: true, force: true })
  })
  return {
    get server() {
      return server!
    },
    get workDirectory() {
      return workDirectory!
    },
  }
}

export interface FetchOptions {
  readonly branch?: string
  readonly commit?: string
  readonly limits?: Partial<SourceLimits>
  readonly onProgress?: (fraction: number) => void
  readonly hosts?: ReadonlyArray<string>
  readonly credential?: SourceCredential
  readonly resolve?: Resolve
  readonly launcher?: boolean
}

/** Fetches with a separate fetcher; the sources live as long as the scope. */
export const fetchSources = (harness: Harness, repositoryUrl: string, options: FetchOptions = {}) =>
  SourceFetcher.use((fetcher) =>
    fetcher.fetch(
      { repositoryUrl, branch: options.branch, commit: options.commit, credential: options.credential },
      options.onProgress ?? (() => {}),
    ),
  ).pipe(
    Effect.provide(
      GitSourceFetcher.layer({
        workDirectory: harness.workDirectory,
        allowedHosts: new Set(options.hosts ?? [harness.server.host]),
        limits: options.limits ?? {},
        launcher: options.launcher ?? false,
        ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
      }),
    ),
  )

/** The error of a fetch that is expected to fail. */
export const fetchError = (harness: Harness, repositoryUrl: string, options: FetchOptions = {}) =>
  Effect.flip(Effect.scoped(fetchSources(harness, repositoryUrl, options)))

/** What is left in the work directory. */
export const leftBehind = (harness: Harness): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() => readdir(harness.workDirectory))
