import type { SkippedFile } from "../analysis/Coverage.ts"
import { folderOf } from "./ProjectFiles.ts"
import type { SourceRole } from "./SourceRole.ts"

const described: Record<SourceRole, string> = {
  "first-party": "the project's own",
  test: "tests",
  dependency: "dependencies",
}

/** All folders of a path, the outermost first. */
const foldersOf = (path: string): ReadonlyArray<string> => {
  const folders: Array<string> = []
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) folders.unshift(folder)
  return folders
}

/**
 * Sources that findings are not reported for, one entry for the outermost folder that holds nothing else; a repository
 * with 40,000 files in `node_modules` has one line about them.
 */
export const leftOut = (
  sources: ReadonlyArray<string>,
  isReported: (path: string) => boolean,
  roleOf: (path: string) => SourceRole,
): ReadonlyArray<SkippedFile> => {
  const shared = new Set(sources.filter(isReported).flatMap(foldersOf))
  const groups = new Map<string, { file: string; role: SourceRole; count: number }>()
  for (const path of sources) {
    if (isReported(path)) continue
    const folder = foldersOf(path).find((candidate) => !shared.has(candidate))
    const file = folder === undefined ? path : `${folder}/`
    const role = roleOf(path)
    const group = groups.get(`${role} ${file}`) ?? { file, role, count: 0 }
    group.count++
    groups.set(`${role} ${file}`, group)
  }
  return [...groups.values()].map(({ file, role, count }) => ({
    file,
    reason: `${described[role]}, ${count} source file${count === 1 ? "" : "s"}: read only where analysed files import them`,
  }))
}
