import type { LoadPrograms } from "../../adapters/engine/program/ProgramThread.ts"
import { combined } from "../../domain/detection/ask/combined.ts"
import type { ProgramAnswers } from "../../domain/detection/ask/ProgramQueries.ts"
import { nameOf } from "../../domain/detection/ProjectFiles.ts"
import type { SourceFile } from "../../domain/detection/SourceFile.ts"
import { reportedSources } from "../../domain/detection/SourceRole.ts"

type Read = (path: string) => ReadonlyArray<SourceFile>

const loadSolidity = async (paths: ReadonlyArray<string>, read: Read) => {
  const { programQueries } = await import("../../domain/detection/solidity/ask/programQueries.ts")
  const { readRemappings } = await import("../../domain/detection/solidity/imports.ts")
  const { parseSolidity } = await import("../../domain/detection/solidity/parse/parse.ts")
  const { buildProgram } = await import("../../domain/detection/solidity/buildProgram.ts")
  const remappings = paths
    .filter((path) => nameOf(path) === "foundry.toml" || nameOf(path) === "remappings.txt")
    .flatMap((path) => read(path).flatMap((file) => readRemappings(file)))
  const units = paths.filter((path) => path.endsWith(".sol")).flatMap((path) => read(path).map(parseSolidity))
  return [programQueries(buildProgram(units, remappings), reportedSources(paths))]
}

/** Both Rust ecosystems take their crates from the same project. */
const loadRust = async (paths: ReadonlyArray<string>, read: Read): Promise<ReadonlyArray<ProgramAnswers>> => {
  const { makeRustParser } = await import("../../adapters/tree-sitter/rust.ts")
  const { readManifest } = await import("../../domain/detection/rust/crate/manifest.ts")
  const { buildRustProject } = await import("../../domain/detection/rust/crate/program.ts")
  const { buildSolanaProgram } = await import("../../domain/detection/solana/buildSolana.ts")
  const { solanaQueries } = await import("../../domain/detection/solana/ask/solanaQueries.ts")
  const { buildCosmWasmProgram } = await import("../../domain/detection/cosmwasm/buildCosmWasm.ts")
  const { cosmwasmQueries } = await import("../../domain/detection/cosmwasm/ask/cosmwasmQueries.ts")
  const parse = await makeRustParser()
  const manifests = paths.filter((path) => nameOf(path) === "Cargo.toml").toSorted()
  const project = buildRustProject(
    paths.filter((path) => path.endsWith(".rs")).flatMap((path) => read(path).map(parse)),
    manifests.flatMap((path) => read(path).map(readManifest)),
  )
  const isReported = reportedSources(paths)
  return [
    solanaQueries(buildSolanaProgram(project), isReported),
    cosmwasmQueries(buildCosmWasmProgram(project), isReported),
  ].filter(({ files }) => files.length > 0)
}

/** What the query thread loads: the models of the languages that the files are in, and no others. */
export const loadPrograms: LoadPrograms = async (paths, read) => {
  const has = (ending: string): boolean => paths.some((path) => path.endsWith(ending))
  const programs = [
    ...(has(".sol") ? await loadSolidity(paths, read) : []),
    ...(has(".rs") ? await loadRust(paths, read) : []),
  ]
  return combined(programs, paths.filter((path) => /\.(sol|rs)$/.test(path)).flatMap(read))
}
