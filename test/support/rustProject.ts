import { makeRustParser } from "../../adapters/tree-sitter/rust.ts"
import { buildCosmWasmProgram } from "../../domain/detection/cosmwasm/buildCosmWasm.ts"
import type { CosmWasmProgram, Handler } from "../../domain/detection/cosmwasm/program/model.ts"
import { readManifest } from "../../domain/detection/rust/crate/manifest.ts"
import { buildRustProject, type RustProject } from "../../domain/detection/rust/crate/program.ts"
import type { RustFile } from "../../domain/detection/rust/syntax/syntax.ts"
import { buildSolanaProgram } from "../../domain/detection/solana/buildSolana.ts"
import type { Account, Instruction, SolanaProgram } from "../../domain/detection/solana/program/model.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"

const parse = await makeRustParser()

export const parseRust = (text: string, path = "src/lib.rs"): RustFile => parse(sourceFile(path, text))

/** A project of the given files by path; those named Cargo.toml are manifests. */
export const rustProject = (files: Record<string, string>): RustProject => {
  const paths = Object.keys(files)
  const manifests = paths.filter((path) => path.endsWith("Cargo.toml"))
  return buildRustProject(
    paths.filter((path) => path.endsWith(".rs")).map((path) => parseRust(files[path]!, path)),
    manifests.map((path) => readManifest(sourceFile(path, files[path]!))),
  )
}

export const solanaProgram = (text: string): SolanaProgram =>
  buildSolanaProgram(rustProject({ "src/lib.rs": `use anchor_lang::prelude::*;\n${text}` }))

export const cosmwasmProgram = (text: string): CosmWasmProgram =>
  buildCosmWasmProgram(
    rustProject({ "src/lib.rs": `use cosmwasm_std::*;\nuse cw_storage_plus::{Item, Map};\n${text}` }),
  )

export const instructionOf = (program: SolanaProgram, name?: string): Instruction => {
  const all = program.crates.flatMap(({ instructions }) => instructions)
  const found = name === undefined ? all[0] : all.find((one) => one.name === name)
  if (found === undefined)
    throw new Error(`no instruction ${name ?? ""} among ${all.map((one) => one.name).join(", ")}`)
  return found
}

export const accountOf = (instruction: Instruction, name: string): Account => {
  const found = instruction.accounts.find((one) => one.name === name)
  if (found === undefined)
    throw new Error(`no account ${name} among ${instruction.accounts.map((one) => one.name).join(", ")}`)
  return found
}

export const handlerOf = (program: CosmWasmProgram, message: string): Handler => {
  const all = program.crates.flatMap(({ entryPoints }) => entryPoints.flatMap(({ handlers }) => handlers))
  const found = all.find((one) => one.message === message)
  if (found === undefined) throw new Error(`no handler ${message} among ${all.map((one) => one.message).join(", ")}`)
  return found
}
