import type { SourceFile, Span } from "../../SourceFile.ts"
import { entriesAt, readJson, textOf } from "./json.ts"
import type { Unreadable } from "./LockFile.ts"

export interface PackageDependency {
  readonly name: string
  readonly requirement: string
  readonly span: Span
  readonly kind: "normal" | "dev"
}

export interface PackageJson {
  readonly file: SourceFile
  readonly name: string | undefined
  readonly version: string | undefined
  readonly dependencies: ReadonlyArray<PackageDependency>
}

const tables = {
  dependencies: "normal",
  optionalDependencies: "normal",
  peerDependencies: "normal",
  devDependencies: "dev",
} as const

/** Reads a package.json: https://docs.npmjs.com/cli/configuring-npm/package-json */
export const readPackageJson = (file: SourceFile): PackageJson | Unreadable => {
  const root = readJson(file.text)
  if ("reason" in root) return root
  const own = entriesAt(root)
  const dependencies = Object.entries(tables).flatMap(([table, kind]) =>
    [...entriesAt(root, table)].flatMap(([name, entry]) => {
      const requirement = textOf(entry)
      return requirement === undefined ? [] : [{ name, requirement, span: entry.span, kind }]
    }),
  )
  return { file, name: textOf(own.get("name")), version: textOf(own.get("version")), dependencies }
}
