import type { Crate } from "./crate.ts"

const solanaCrate =
  /^(anchor[-_](lang|spl)|solana[-_](program|pubkey|account[-_]info|cpi|program[-_]entrypoint|program[-_]error|instruction)|pinocchio|spl[-_](token|associated).*|mpl[-_].*|steel|shank|five8_const|bolt[-_]lang|star[-_]frame|quasar[-_]lang|solitaire)$/
const cosmwasmCrate =
  /^(cosmwasm[-_](std|schema|storage)|cw[-_]?(storage[-_]plus|utils|ownable|multi[-_]test|2|20|721|1155)|sylvia|cw\d.*)$/
const solanaMacro = /^(declare_id|entrypoint|program_entrypoint|lazy_program_entrypoint|no_allocator)$/
const solanaAttribute = /^(program|account|event|error_code)$/
const cosmwasmAttribute = /^(entry_point|cw_serde)$/

/** The ecosystems that a crate is written for: judged by its dependencies or, without a Cargo.toml, by its code. */
export const ecosystemsOf = (crate: Crate): { readonly solana: boolean; readonly cosmwasm: boolean } => {
  let solana = false
  let cosmwasm = false
  for (const dependency of crate.manifest?.dependencies ?? []) {
    if (dependency.kind !== "normal") continue
    solana ||= solanaCrate.test(dependency.package)
    cosmwasm ||= cosmwasmCrate.test(dependency.package)
  }
  if (solana || cosmwasm) return { solana, cosmwasm }
  for (const module of crate.modules) {
    for (const macro of module.macros) solana ||= solanaMacro.test(macro.name)
    for (const one of [...[...module.imports.values()].flat(), ...module.globs]) {
      solana ||= solanaCrate.test(one.path[0] ?? "")
      cosmwasm ||= cosmwasmCrate.test(one.path[0] ?? "")
    }
    solana ||= module.attributes.some((one) => one.name === "program")
    for (const definitions of module.names.values())
      for (const definition of definitions) {
        if (definition.kind !== "struct" && definition.kind !== "function" && definition.kind !== "enum") continue
        for (const attribute of definition.item.attributes) {
          if (definition.kind === "struct") {
            solana ||= solanaAttribute.test(attribute.name)
            solana ||= attribute.name === "derive" && attribute.args.some((one) => one.name === "Accounts")
          }
          cosmwasm ||= cosmwasmAttribute.test(attribute.name)
        }
      }
  }
  return { solana, cosmwasm }
}
