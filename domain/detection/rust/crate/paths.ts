/** The folder of a path, empty for the root. */
export const folder = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")

/** Joins parts, with `.` and `..` resolved where possible. */
export const join = (...parts: ReadonlyArray<string>): string => {
  const out: Array<string> = []
  for (const part of parts.join("/").split("/")) {
    if (part === ".." && out.length > 0 && out.at(-1) !== "..") out.pop()
    else if (part !== "" && part !== ".") out.push(part)
  }
  return out.join("/")
}
