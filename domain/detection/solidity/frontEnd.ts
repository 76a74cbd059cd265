import { withDependencies } from "../dependencies/withDependencies.ts"
import { type FrontEnd, type Project, type SomeFrontEnd, someFrontEnd } from "../FrontEnd.ts"
import { oncePer } from "../oncePer.ts"
import type { SourceFile } from "../SourceFile.ts"
import { nameOf } from "../ProjectFiles.ts"
import { withSecrets } from "../secrets/withSecrets.ts"
import { withSteering } from "../steering/withSteering.ts"
import { accessTable } from "./access/table/table.ts"
import { solidityRules } from "./catalog.ts"
import { importResolver, readRemappings, type Remapping } from "./imports.ts"
import { parseSolidity } from "./parse/parse.ts"
import { buildProgram, programParts } from "./buildProgram.ts"
import type { Program } from "./program.ts"
import type { SourceUnit } from "./syntax.ts"

const isSource = (path: string): boolean => path.endsWith(".sol")

const remappingsOf = (project: Project): ReadonlyArray<Remapping> =>
  [...project.paths]
    .filter((path) => nameOf(path) === "foundry.toml" || nameOf(path) === "remappings.txt")
    .toSorted()
    .flatMap((path) => project.read(path, readRemappings) ?? [])

const functionsIn = (unit: SourceUnit): number => {
  let count = 0
  for (const item of unit.items) {
    if (item.kind === "FunctionDefinition") count++
    else if (item.kind === "ContractDefinition") {
      for (const { kind } of item.members) if (kind === "FunctionDefinition" || kind === "ModifierDefinition") count++
    }
  }
  return count
}

/** Says what was not followed. */
const told = (project: Project, program: Program): Program => {
  for (const { name, source } of program.everything.unplaced)
    project.problem?.(
      source.file.path,
      `modifier \`${name}\` is so large, and used so often, that the functions that use it were examined without it`,
    )
  return program
}

const frontEnd: FrontEnd<SourceUnit, Program> = {
  ecosystem: "evm",
  isSource,
  // However many analyses see the file, it is parsed once.
  parse: oncePer((file: SourceFile) => {
    const unit = parseSolidity(file)
    const functions = functionsIn(unit)
    return { unit, errors: unit.errors, problems: unit.problems, functions, usable: functions > 0 }
  }),
  imports: (project) => {
    const resolve = importResolver([...project.paths].filter(isSource).toSorted(), remappingsOf(project))
    return (unit) => unit.imports.flatMap(({ path }) => resolve(unit.file.path, path) ?? [])
  },
  build: (units, project, activity) => told(project, buildProgram(units, remappingsOf(project), activity)),
  parts: (units, project, activity) =>
    programParts(units, remappingsOf(project), activity).map((part) => () => told(project, part())),
  rules: solidityRules,
  access: accessTable,
}

/** Solidity from 0.4 to 0.8. */
export const solidityFrontEnd: SomeFrontEnd = someFrontEnd(
  withSteering(withSecrets(withDependencies(frontEnd, (unit) => unit.imports.map(({ path }) => path)))),
)
