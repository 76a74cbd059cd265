import type { RuleMeta } from "./Rule.ts"
import type { DocumentedRule } from "./rulePages.ts"
import { cosmwasmRules } from "./cosmwasm/catalog.ts"
import { dependencyRules } from "./dependencies/rules.ts"
import { secretRules } from "./secrets/rules.ts"
import { steeringRules } from "./steering/withSteering.ts"
import { solanaRules } from "./solana/catalog.ts"
import { solidityRules } from "./solidity/catalog.ts"

/** Every rule, with what its readers need; the checks are in the ecosystems' own catalogs. Ordered by id. */
export const catalog: ReadonlyArray<DocumentedRule> = [
  ...solidityRules,
  ...solanaRules,
  ...cosmwasmRules,
  ...dependencyRules,
  ...secretRules,
  ...steeringRules,
].toSorted((a, b) => (a.meta.id < b.meta.id ? -1 : 1))

export const ruleMetas: ReadonlyArray<RuleMeta> = catalog.map(({ meta }) => meta)

const byId = new Map<string, DocumentedRule>(catalog.map((rule) => [rule.meta.id, rule]))

/** The rule with an id; undefined if there is none. */
export const ruleById = (id: string): DocumentedRule | undefined => byId.get(id)
