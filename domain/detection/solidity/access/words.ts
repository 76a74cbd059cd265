import type { Place } from "../../Rule.ts"
import type { Deviation } from "./deviations.ts"
import { type Deed, isWrite } from "./deeds.ts"
import type { Entry } from "./entries.ts"

/** Longest name told of what a repository calls its things. */
const nameLimit = 60

const short = (name: string): string => (name.length > nameLimit ? `${name.slice(0, nameLimit)}…` : name)

/** What a deed is about, as a reader knows it. */
export const subjectName = ({ variable, reached, entryName }: Deed): string =>
  entryName !== undefined
    ? short(entryName)
    : variable !== undefined
      ? short(variable.name)
      : reached.event.kind === "call"
        ? `${short(reached.event.name)}()`
        : ""

const namesOf = (entries: ReadonlyArray<Entry>): string => {
  const [first, second] = entries
  const names = [first, second].flatMap((entry) => (entry === undefined ? [] : [short(entry.fn.scope)]))
  return names.join(" and ")
}

/** Why the deed looks like one that only some should have done, with the evidence. */
export const whyAlike = ({ entry, deed, reason, guarded, of, check }: Deviation): string => {
  const name = short(entry.fn.name)
  const subject = subjectName(deed)
  const among = `${namesOf(guarded)} ${guarded.length > 1 ? "among them" : "that is"}`
  const count = `${guarded.length} of ${of}`
  switch (reason) {
    case "same":
      return !isWrite(deed)
        ? `${count} functions that call ${subject} ask who calls (${among}); ${name} does not.`
        : `${count} functions that write ${subject} ask who calls (${among}); ${name} does not.`
    case "setter":
      return `${count} functions of this contract that set what they are told ask who calls (${among}); ${name} does not.`
    case "global":
      return `${subject} is a setting of the whole contract, which has privileged callers (see ${namesOf(guarded)}); ${name} takes it from anyone.`
    case "twin":
      return `The same function of other contracts asks who calls (${namesOf(guarded)}); this ${name} does not.`
    case "person":
      return `${count} functions that change an entry of ${subject} change the sender's own, or ask who calls (${among}); ${name} changes that of anybody.`
    case "holder":
      return `Entries of ${subject} belong to whoever creates them (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "right":
      return `Other functions hold entries of ${subject} against the caller (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "tally":
      return `${subject} counts accounts, and how many there are decides; ${name} counts any account, of which one person makes as many as it takes.`
    case "unspent":
      return `${short(check!.name)} says how much the sender may take, and ${name} does not lower it: the same can be taken again and again.`
    case "members":
      return `${count} functions that leave something in ${subject} under the sender's own name let in only some (${among}); ${name} lets in anyone.`
    case "peer":
      return `${subject} lets in only some callers (see ${namesOf(guarded)}), this contract among them; ${name} passes on what anyone asks.`
    case "most":
      return `${count} functions of this contract that change something ask who calls (${among}); ${name} does not.`
    case "lacking":
      return `${count} functions of this contract ask for one and the same check (${among}); ${name} does not.`
    case "phase":
      return `${count} functions of this contract ask which state it is in (${among}); ${name} does not.`
    case "item":
      return `${count} functions about the same ask for one check of it (${among}); ${name} does not.`
    case "override":
      return `${namesOf(guarded)}, which this overrides, asks who calls; ${name} does not.`
    case "alike":
      return `The same function of other contracts asks for a check (${namesOf(guarded)}); this ${name} does not.`
    case "origin":
      return `Messages go to ${short(check!.name)}, and ${name} does not ask whether it is from there that one comes: who brings it brings those of anyone.`
    case "unused":
      if (check === undefined)
        return `This contract inherits a base that lets in only some callers, and none of its functions asks who calls; ${name} is open to anyone.`
      if (check?.kind === "StateVariable" || (check?.kind === "Function" && check.returns.length > 0))
        return `This contract knows ${short(check.name)}, and no function asks whether that is who calls; ${name} is open to anyone.`
      return `No function of this contract asks for ${short(check.name)}, which lets in only some callers; ${name} is open to anyone.`
  }
}

/** Trace steps to where the like is checked. */
export const checkedSteps = (guarded: ReadonlyArray<Entry>): ReadonlyArray<Place & { readonly note: string }> =>
  guarded
    .slice(0, 3)
    .map(({ fn }) => ({ file: fn.source.file, span: fn.node.nameSpan, note: "here the caller is checked" }))
