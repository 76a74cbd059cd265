import type { AccessRow } from "../../access/AccessTable.ts"
import type { ProgramCoverage } from "../../analysis/Coverage.ts"
import type { Ecosystem } from "../../analysis/Framework.ts"
import { withDependencies } from "../dependencies/withDependencies.ts"
import { type Activity, type Parsed, type Project, type SomeFrontEnd, someFrontEnd } from "../FrontEnd.ts"
import { oncePer } from "../oncePer.ts"
import { nameOf } from "../ProjectFiles.ts"
import { severityRank } from "../../finding/severityRank.ts"
import type { Match, Rule } from "../Rule.ts"
import { withSecrets } from "../secrets/withSecrets.ts"
import { lineAt, type SourceFile } from "../SourceFile.ts"
import { withSteering } from "../steering/withSteering.ts"
import { type Manifest, readManifest } from "./crate/manifest.ts"
import { buildRustProject, type RustProject } from "./crate/program.ts"
import { type Item, nestedTooDeeply, parsedTooLong, type SyntaxProblem, type RustFile } from "./syntax/syntax.ts"

const functionsIn = (items: ReadonlyArray<Item>): number => {
  let count = 0
  for (const item of items) {
    if (item.kind === "function") count++
    else if (item.kind === "impl" || item.kind === "trait" || item.kind === "module")
      count += functionsIn(item.items ?? [])
  }
  return count
}

const manifestsOf = (project: Project): ReadonlyArray<Manifest> =>
  [...project.paths]
    .filter((path) => nameOf(path) === "Cargo.toml")
    .toSorted()
    .flatMap((path) => project.read(path, readManifest) ?? [])

/** What differs between Solana and CosmWasm. */
export interface RustEcosystem<Program> {
  readonly ecosystem: Ecosystem
  readonly build: (project: RustProject, activity: Activity) => Program
  /** How much of each program was understood. */
  readonly understood: (program: Program) => ReadonlyArray<ProgramCoverage>
  readonly rules: ReadonlyArray<Rule<Program>>
  readonly access: (program: Program, isReported: (path: string) => boolean) => ReadonlyArray<AccessRow>
}

const isLimit = ({ message }: SyntaxProblem): boolean => message === nestedTooDeeply || message === parsedTooLong

/**
 * A helper that several instructions call yields its events for each of them: one place is one finding of a rule, the
 * most serious one.
 */
const oncePerPlace = <Program>(rule: Rule<Program>): Rule<Program> => ({
  ...rule,
  check: (program, report) => {
    const found = new Map<string, Match>()
    const weight = ({ severity }: Match): number => severityRank(severity ?? rule.meta.severity)
    rule.check(program, (match) => {
      const place = `${match.file.path}:${match.span.start}`
      const known = found.get(place)
      if (known === undefined || weight(match) < weight(known)) found.set(place, match)
    })
    for (const match of found.values()) report(match)
  },
})

/** Parses each file once, however many ecosystems look at it. */
export const sharedRustParser = (parse: (file: SourceFile) => RustFile): ((file: SourceFile) => Parsed<RustFile>) =>
  oncePer((file: SourceFile) => {
    const unit = parse(file)
    const wrong = unit.problems.filter((one) => !isLimit(one))
    const deep = unit.problems.find(({ message }) => message === nestedTooDeeply)
    const isCutOff = unit.problems.some(({ message }) => message === parsedTooLong)
    return {
      unit,
      errors: wrong,
      problems: [
        ...(deep === undefined ? [] : [`${nestedTooDeeply} near line ${lineAt(file, deep.start)}`]),
        ...(isCutOff ? [`${parsedTooLong}, as a function of tens of thousands of statements does`] : []),
      ],
      functions: functionsIn(unit.items),
      usable: unit.items.length > 0,
    }
  })

/** The front end of one Rust ecosystem; `parse` comes from `sharedRustParser`. */
export const rustFrontEnd = <Program>(
  { ecosystem, build, understood, rules, access }: RustEcosystem<Program>,
  parse: (file: SourceFile) => Parsed<RustFile>,
): SomeFrontEnd =>
  someFrontEnd(
    withSteering(
      withSecrets(
        withDependencies<RustFile, Program>({
          ecosystem,
          isSource: (path) => path.endsWith(".rs"),
          parse,
          build: (units, project, activity) => {
            const program = build(buildRustProject(units, manifestsOf(project)), activity)
            for (const one of understood(program)) project.understood?.(one)
            return program
          },
          rules: rules.map(oncePerPlace),
          access,
        }),
      ),
    ),
  )
