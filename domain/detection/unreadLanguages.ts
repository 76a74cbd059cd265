import type { ProgramCoverage } from "../analysis/Coverage.ts"
import { boundedText } from "../finding/boundedText.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { folderOf } from "./ProjectFiles.ts"
import { sourceRoles } from "./SourceRole.ts"

/** Contract languages that no front end reads, by file name extension. */
const languages: Readonly<Record<string, string>> = {
  vy: "Vyper",
  vyi: "Vyper",
  huff: "Huff",
  move: "Move",
  cairo: "Cairo",
}

/** The language of a contract that is not read; undefined for all other files. */
export const unreadLanguageOf = (path: string): string | undefined => {
  const dot = path.lastIndexOf(".")
  const end = dot === -1 ? "" : path.slice(dot + 1)
  return Object.hasOwn(languages, end) ? languages[end] : undefined
}

const commonFolder = (one: string, other: string): string => {
  let shared = one
  while (shared !== "" && other !== shared && !other.startsWith(`${shared}/`)) shared = folderOf(shared)
  return shared
}

/**
 * What the coverage says about contracts in unread languages, one entry per language: where they are and how many there
 * are. Packages and other projects' tests are not part of the project.
 */
export const unreadPrograms = (
  unread: ReadonlyArray<string>,
  files: ReadonlyArray<string>,
): ReadonlyArray<ProgramCoverage> => {
  if (unread.length === 0) return []
  const roleOf = sourceRoles([...files, ...unread])
  const found = new Map<string, { folder: string; count: number }>()
  for (const path of unread) {
    const language = unreadLanguageOf(path)
    if (language === undefined || roleOf(path) !== "first-party") continue
    const known = found.get(language)
    if (known === undefined) found.set(language, { folder: folderOf(path), count: 1 })
    else {
      known.folder = commonFolder(known.folder, folderOf(path))
      known.count++
    }
  }
  return [...found].map(([framework, { folder, count }]) => ({
    program: boundedText(folder === "" ? framework : folder, resultLimits.name),
    framework,
    entryPoints: 0,
    handlers: 0,
    understood: 0,
    inputs: 0,
    nearlyEmpty: [],
    notFollowed: [],
    warning: `${count.toLocaleString("en-US")} ${count === 1 ? "file" : "files"} of ${framework}, a language that is not analyzed`,
  }))
}
