import type { SkippedFile } from "../analysis/Coverage.ts"
import { folderTree } from "./FolderTree.ts"
import type { SourceRole } from "./SourceRole.ts"

const described: Record<SourceRole, string> = {
  "first-party": "the project's own",
  test: "tests",
  dependency: "dependencies",
}

/** The first folders of a path, up to that many, with the trailing slash. */
const outer = (path: string, folders: number): string => {
  let end = 0
  for (let count = 0; count < folders; count++) end = path.indexOf("/", end) + 1
  return path.slice(0, end)
}

/**
 * Sources for which no findings are reported, one entry for the outermost folder that contains nothing else: a
 * repository with 40,000 files in `node_modules` has one line about them.
 */
export const leftOut = (
  sources: ReadonlyArray<string>,
  isReported: (path: string) => boolean,
  roleOf: (path: string) => SourceRole,
): ReadonlyArray<SkippedFile> => {
  const { count, parents, folderOf } = folderTree(sources)
  const shared = new Uint8Array(count)
  for (const path of sources) if (isReported(path)) shared[folderOf(path)] = 1
  for (let id = count - 1; id > 0; id--) if (shared[id] === 1) shared[parents[id]!] = 1
  /** The depth of the outermost folder that contains nothing else; 0 if there is none. */
  const depths = new Int32Array(count)
  const outermost = new Int32Array(count)
  for (let id = 1; id < count; id++) {
    const parent = parents[id]!
    depths[id] = depths[parent]! + 1
    outermost[id] = shared[id] === 1 ? 0 : outermost[parent]! || depths[id]!
  }
  const groups = new Map<string, { file: string; role: SourceRole; count: number }>()
  for (const path of sources) {
    if (isReported(path)) continue
    const depth = outermost[folderOf(path)]!
    const file = depth === 0 ? path : outer(path, depth)
    const role = roleOf(path)
    const group = groups.get(`${role} ${file}`) ?? { file, role, count: 0 }
    group.count++
    groups.set(`${role} ${file}`, group)
  }
  return [...groups.values()].map(({ file, role, count }) => ({
    file,
    reason: `${described[role]}, ${count} source file${count === 1 ? "" : "s"}: read only where analyzed files import them`,
  }))
}
