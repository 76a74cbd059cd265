import type { Crate } from "./crate.ts"
import type { RustProject } from "./program.ts"

const entryMacro =
  /^(entrypoint|program_entrypoint|lazy_program_entrypoint|entrypoint_no_alloc|export_endpoints|solitaire)$/
const entryAttribute =
  /^(entry_point|entry_points|program|bolt_program|arcium_program|star_frame_program|quasar_program|system|star_frame_instruction)$/

/** Whether a chain can enter the crate: its Cargo.toml or the markers of a framework say so. */
export const isProgram = ({ manifest, modules, functions }: Crate): boolean =>
  manifest === undefined ||
  manifest.crateTypes.includes("cdylib") ||
  modules.some(
    ({ macros, attributes }) =>
      macros.some(({ name }) => entryMacro.test(name)) || attributes.some(({ name }) => entryAttribute.test(name)),
  ) ||
  functions.some(({ item }) => item.attributes.some(({ name, path }) => entryAttribute.test(path.at(-1) ?? name)))

/** Crates that only work with a network, a file system or a terminal. */
const hostOnly =
  /^(anchor-client|solana-(client|rpc-client.*|cli.*|clap-.+|logger|program-test|test-validator|remote-wallet)|clap|tokio|reqwest|hyper|cosmrs|cw-orch.*|cw-multi-test|cosmwasm-vm|litesvm|mollusk-svm|libfuzzer-sys|honggfuzz)$/

/**
 * The crates whose code runs on a chain: programs and what they link, but not a workspace's clients, bots, tests and
 * tools. If nothing looks like a program, all crates except those that need a host.
 */
export const deployedCrates = (project: RustProject, crates: ReadonlyArray<Crate>): ReadonlyArray<Crate> => {
  const programs = crates.filter(isProgram)
  if (programs.length === 0)
    return crates.filter(
      ({ manifest }) =>
        manifest?.dependencies.some((one) => one.kind === "normal" && !one.optional && hostOnly.test(one.package)) !==
        true,
    )
  const reached = new Set(programs)
  // A set also iterates over what is added in the meantime.
  for (const one of reached) for (const linked of project.resolver.linkedFrom(one)) reached.add(linked)
  return crates.filter((one) => reached.has(one))
}

/** Whether another program of the project links the crate. */
export const isLinked = (
  programs: ReadonlyArray<{ readonly crate: Crate; readonly project: RustProject }>,
  { crate, project }: { readonly crate: Crate; readonly project: RustProject },
): boolean => programs.some((one) => one.crate !== crate && project.resolver.linkedFrom(one.crate).has(crate))
