import type { Manifest } from "./manifest.ts"

const within = (path: string, directory: string): boolean => directory === "" || path.startsWith(`${directory}/`)

/** Whether a pattern of `workspace.members`, such as `contracts/*`, names a folder of the workspace. */
const isMember = (pattern: string, folder: string): boolean => {
  const wanted = pattern.replace(/^\.\//, "").split("/")
  const given = folder.split("/")
  const matches = (at: number, from: number): boolean => {
    const part = wanted[at]
    if (part === undefined) return from === given.length
    if (part === "**") return matches(at + 1, from) || (from < given.length && matches(at, from + 1))
    const own = given[from]
    if (own === undefined) return false
    const [head, tail] = part.split("*", 2)
    const fits = tail === undefined ? own === part : own.startsWith(head ?? "") && own.endsWith(tail)
    return fits && matches(at + 1, from + 1)
  }
  return wanted.length <= 8 && matches(0, 0)
}

/**
 * The Cargo.toml whose `[profile.release]` applies to a file: Cargo ignores those of a workspace's members.
 * https://doc.rust-lang.org/cargo/reference/profiles.html
 */
export const profileManifest = (manifests: ReadonlyArray<Manifest>, path: string): Manifest | undefined => {
  const above = manifests
    .filter(({ directory }) => within(path, directory))
    .toSorted((a, b) => b.directory.length - a.directory.length)
  const own = above.find(({ name }) => name !== undefined) ?? above[0]
  if (own === undefined) return undefined
  const root = above.find(
    ({ workspace, directory }) =>
      workspace !== undefined &&
      (directory === own.directory ||
        workspace.members.some((one) =>
          isMember(one, own.directory.slice(directory === "" ? 0 : directory.length + 1)),
        )),
  )
  if (root !== undefined || own.overflowChecks !== undefined) return root ?? own
  // Cargo does not build a crate below a workspace that does not list it: once it does, that workspace's profile
  // applies.
  return above.find(({ workspace, overflowChecks }) => workspace !== undefined && overflowChecks === true) ?? own
}

/** Whether the release build of a file stops at an overflow; undefined if that is up to a workspace outside the project. */
export const stopsAtOverflow = (manifests: ReadonlyArray<Manifest>, path: string): boolean | undefined => {
  const manifest = profileManifest(manifests, path)
  if (manifest?.overflowChecks !== undefined || manifest?.inherits !== true) return manifest?.overflowChecks === true
  const isAbove = ({ directory, workspace }: Manifest) => workspace !== undefined && within(path, directory)
  return manifests.some(isAbove) ? false : undefined
}

/** What a finding says if it is up to such a workspace. */
export const elsewhere =
  "Whether the release profile enables overflow checks is up to a workspace whose Cargo.toml is not among these files."
