import { oncePer } from "../../../oncePer.ts"
import type { StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { sidesOf } from "../../flow/facts/facts.ts"

/** The lists whose length, or whose copy's, decides how often a loop runs: every new element matters to all others. */
export const walkedLists = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const walked = new Set<StateVariable>()
  for (const flow of program.allFlows())
    for (const { condition } of flow.loops)
      for (const fact of condition === undefined ? [] : flow.facts(condition.succs[0] ?? condition))
        if (fact.kind === "relation" && fact.expression === condition?.expression)
          for (const { state } of sidesOf(fact)) for (const list of state) walked.add(list)
  return walked
})
