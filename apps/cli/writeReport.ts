import { chmod, readlink, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import { Refusal } from "../runMain.ts"
import { reasonOf } from "../terminal/systemError.ts"

const orUndefined =
  (...codes: ReadonlyArray<string>) =>
  (error: unknown): undefined => {
    if (hasProperty(error, "code") && codes.includes(String(error.code))) return undefined
    throw error
  }

/** Descriptors of processes and devices: even a regular file there is open in some other program. */
const isDevice = (path: string): boolean => /^\/(?:dev|proc)\//.test(path)

const write = async (path: string, text: string): Promise<void> => {
  const before = await stat(path).catch(orUndefined("ENOENT"))
  const isDangling = before === undefined && (await readlink(path).catch(orUndefined("ENOENT", "EINVAL"))) !== undefined
  if (isDangling || isDevice(resolve(path)) || (before !== undefined && !before.isFile())) {
    await writeFile(path, text)
    return
  }
  const target = before === undefined ? path : await realpath(path)
  const draft = `${target}.${process.pid}.tmp`
  try {
    await writeFile(draft, text, { flag: "wx" })
    if (before !== undefined) await chmod(draft, before.mode)
    await rename(draft, target)
  } catch (error) {
    // Somebody else's draft remains.
    if (!hasProperty(error, "code") || error.code !== "EEXIST") await rm(draft, { force: true })
    throw error
  }
}

/**
 * Writes a report to a file, either entirely or not at all. Links are followed; a device, a pipe or a terminal is
 * written to and keeps its type.
 */
export const writeReport = (path: string, text: string): Effect.Effect<void, Refusal> =>
  Effect.tryPromise({
    try: () => write(path, text),
    catch: (error) => new Refusal(`Could not write the report to ${path}: ${reasonOf(error)}.`),
  })
