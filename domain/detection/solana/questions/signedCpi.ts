import { oncePer, oncePerPair } from "../../oncePer.ts"
import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { type Facts, factsAbout } from "../../rust/terms/facts.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import { checksOf } from "./checks.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { cpisOf } from "./questions.ts"

/** Cross-program calls for which the program signs with one of its own addresses. */
export const signedCpisOf = oncePer((instruction: Instruction): ReadonlyArray<Cpi & { readonly signerSeeds: Term }> =>
  cpisOf(instruction).flatMap((cpi) => {
    const { signerSeeds } = cpi
    return signerSeeds === undefined || !isSignedFor(instruction, cpi) ? [] : [{ ...cpi, signerSeeds }]
  }),
)

const isKnown = (event: Event, term: Term): boolean => checksOf(term, guaranteed(event)).length > 0

/**
 * Whether the program itself signs: seeds are passed, and they are not those of its own address beside the caller's
 * authority, which a wrapper passes to every call.
 */
export const isSignedFor = (instruction: Instruction, cpi: Cpi): boolean => {
  if (!isSigned(cpi)) return false
  const authority = roleOf(cpi, "authority")
  if (authority === undefined || isKnown(cpi.event, authority)) return true
  const known = knownAuthorities(instruction)
  return known.size === 0 || (known.size === 1 && known.has(authority))
}

/** Authorities of the calls that receive seeds, if something is known about them. */
const knownAuthorities = oncePer(
  (instruction: Instruction): ReadonlySet<Term> =>
    new Set(
      cpisOf(instruction).flatMap((cpi) => {
        const own = isSigned(cpi) ? roleOf(cpi, "authority") : undefined
        return own !== undefined && isKnown(cpi.event, own) ? [own] : []
      }),
    ),
)

/** `invoke_signed` with an empty list signs for nothing. */
export const isSigned = ({ signerSeeds }: Cpi): boolean =>
  signerSeeds !== undefined && flattenSeeds(signerSeeds).length > 0

/** The parts of signer seeds, lists of lists flattened. */
export const flattenSeeds = (seeds: Term): ReadonlyArray<Term> =>
  seeds.kind === "list" ? seeds.elements.flatMap(flattenSeeds) : [seeds]

/**
 * The account with a given role in a CPI: `from` of a token transfer. Positions are those of the token program's
 * builders.
 */
export const roleOf = (cpi: Cpi, role: "from" | "to" | "authority"): Term | undefined => {
  // In burns, the source was once called `to`; minted tokens have no source.
  const burns = /(^|::)(burn\w*|Burn\w*)$/.test(cpi.instruction)
  const mints = /(^|::)(mint_to\w*|MintTo\w*)$/.test(cpi.instruction)
  if ((burns && role === "to") || (mints && role === "from")) return undefined
  const names: Record<typeof role, RegExp> = {
    from: burns ? /^(from|account|to)$/ : /^(from|source|account)$/,
    to: mints ? /^(to|account|destination)$/ : /^(to|destination)$/,
    authority: /^((current_)?authority|owner)$/,
  }
  const named = cpi.accounts.find(({ name }) => names[role].test(name))?.term
  if (named !== undefined) return named
  if (!/(^|::)instruction::transfer$/.test(cpi.instruction) || /system_interface/.test(cpi.instruction))
    return undefined
  const built = cpi.args[{ from: 1, to: 2, authority: 3 }[role]]
  return built?.kind === "field" && built.name === "key" ? built.base : undefined
}

const relating = factsAbout((fact) =>
  fact.kind === "binary" && fact.operator === "!=" ? [] : [...everySubterm([fact])],
)

/** What occurs in one fact with a term. */
const related = oncePerPair((facts: Facts, one: Term): ReadonlySet<Term> => everySubterm([...relating(facts, one)]))

/** Whether two terms occur in one fact that is not an inequality. */
export const areRelated = (facts: Facts, one: Term, other: Term): boolean => related(facts, one).has(other)
