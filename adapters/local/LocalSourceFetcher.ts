import { realpath, stat } from "node:fs/promises"
import { basename, dirname, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type FetchedSource,
  SourceError,
  SourceFetcher,
  type SourceRequest,
} from "../../application/ports/analysis/SourceFetcher.ts"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"
import { isSource } from "../../domain/detection/ProjectFiles.ts"
import { boundedSkips, type SourceLimits, sourceLimits } from "../../domain/repository/SourceLimits.ts"
import { type Checkout, readCheckout } from "./Checkout.ts"
import { importedPackages } from "./importedPackages.ts"
import { inspect, walk } from "./walk.ts"

export interface LocalSourceSettings {
  readonly limits?: Partial<SourceLimits>
  /** Analyzed together, relative to the folder that contains them all; defaults to just `repositoryUrl`. */
  readonly paths?: ReadonlyArray<string>
}

const refuse = (message: string): SourceError => new SourceError({ message, retryable: false })

interface LocalPath {
  /** With links resolved: a link named on the command line means its target. */
  readonly path: string
  readonly isFolder: boolean
}

const locate = (given: string) =>
  Effect.tryPromise({
    try: async (): Promise<LocalPath> => {
      const path = await realpath(resolve(given))
      const kind = await stat(path)
      if (!kind.isDirectory() && !kind.isFile()) throw new Error("neither file nor folder")
      return { path, isFolder: kind.isDirectory() }
    },
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? error.code : undefined
      if (code === "EACCES" || code === "EPERM") return refuse(`${given} cannot be read: permission denied.`)
      return refuse(
        code === "ENOENT" || code === "ENOTDIR"
          ? `${given} does not exist. Specify a folder, a .sol or .rs file, or the URL of a repository.`
          : `${given} is neither a folder nor a file.`,
      )
    },
  })

const commonFolder = (places: ReadonlyArray<LocalPath>): string => {
  const folders = places.map(({ path, isFolder }) => (isFolder ? path : dirname(path)).split(sep))
  const [first = [], ...others] = folders
  const differs = first.findIndex((name, index) => others.some((other) => other[index] !== name))
  return (differs === -1 ? first : first.slice(0, differs)).join(sep) || sep
}

const collect = async (root: string, places: ReadonlyArray<LocalPath>, limits: SourceLimits) => {
  const files = new Set<string>()
  const skipped: Array<SkippedFile> = []
  const unread = new Set<string>()
  const packageFolders: Array<string> = []
  for (const { path, isFolder } of places) {
    const name = relative(root, path).split(sep).join("/")
    if (isFolder) {
      const walked = await walk(root, name, limits)
      for (const file of walked.files) files.add(file)
      skipped.push(...walked.skipped)
      for (const file of walked.unread) unread.add(file)
      packageFolders.push(...walked.packageFolders)
      continue
    }
    const reason = isSource(name) ? await inspect(root, name, limits) : "is neither a .sol nor a .rs file"
    if (reason === undefined) files.add(name)
    else skipped.push({ file: name, reason })
  }
  const imported = await importedPackages(root, [...files], packageFolders, limits)
  for (const file of imported.files) files.add(file)
  return { files: [...files].toSorted(), skipped: [...skipped, ...imported.skipped], unread: [...unread].toSorted() }
}

const branchOf = (checkout: Checkout | undefined): string => checkout?.branch ?? checkout?.commit ?? "local"

/**
 * Treats a local folder or file as a repository: for the command line only, never for user submissions. Nothing is
 * copied and nothing is written.
 */
const make = (settings: LocalSourceSettings) => {
  const limits: SourceLimits = { ...sourceLimits, ...settings.limits }

  const fetch = Effect.fn("LocalSourceFetcher.fetch")(function* (
    request: SourceRequest,
    onProgress: (fraction: number) => void,
  ) {
    if (request.branch !== undefined) {
      return yield* refuse(
        "--branch does not apply to a local folder: check the branch out, or specify the URL of the repository.",
      )
    }
    onProgress(0)
    const places = yield* Effect.forEach(settings.paths ?? [request.repositoryUrl], locate)
    const directory = commonFolder(places)
    const { files, skipped, unread } = yield* Effect.promise(() => collect(directory, places, limits))
    if (files.length === 0 && skipped.length === 1 && places.every(({ isFolder }) => !isFolder)) {
      return yield* refuse(`${basename(places[0]!.path)} ${skipped[0]!.reason}.`)
    }
    const checkout = yield* Effect.promise(() => readCheckout(directory))
    onProgress(1)

    const fetched: FetchedSource = {
      directory,
      branch: branchOf(checkout),
      commit: checkout?.commit,
      files,
      skipped: boundedSkips(skipped),
      unread,
    }
    return fetched
  })

  return SourceFetcher.of({ fetch })
}

export const layer = (settings: LocalSourceSettings = {}): Layer.Layer<SourceFetcher> =>
  Layer.sync(SourceFetcher, () => make(settings))
