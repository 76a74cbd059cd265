/** How the paths of a report are resolved. */
export interface Paths {
  /** Where the engine saw the sources, absolute; results below it are ours. */
  readonly root?: string
  /** Files of the repository; without them, every relative path is accepted. */
  readonly files?: ReadonlySet<string>
}

const longest = 4_096

const decoded = (uri: string): string | undefined => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return undefined
  }
}

/** A path below the root, without `.`; undefined if it leads outside or is not a path. */
const inside = (path: string): string | undefined => {
  const segments = path.split("/").filter((one) => one !== "" && one !== ".")
  const isOdd = segments.some((one) => one === ".." || /\p{Cc}/u.test(one))
  return isOdd || segments.length === 0 ? undefined : segments.join("/")
}

/**
 * The path of a result below the repository's root, however the engine writes it: a URI or a Windows path, absolute or
 * relative. Undefined if it leads elsewhere.
 */
export const relativePath = (uri: string, { root, files }: Paths): string | undefined => {
  if (uri.length > longest) return undefined
  const plain = decoded(uri)?.replaceAll("\\", "/")
  if (plain === undefined) return undefined
  const path = plain.replace(/^file:\/\/(?:localhost)?(?=\/)/, "").replace(/^file:(?=\/)/, "")
  const isAbsolute = path.startsWith("/") || /^[A-Za-z]:\//.test(path)
  if (!isAbsolute && /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path)) return undefined
  const folder = root === undefined ? undefined : root.replaceAll("\\", "/").replace(/\/$/, "")
  if (isAbsolute && (folder === undefined || !path.startsWith(`${folder}/`))) return undefined
  const relative = inside(isAbsolute ? path.slice(folder!.length + 1) : path)
  return relative === undefined || (files !== undefined && !files.has(relative)) ? undefined : relative
}
