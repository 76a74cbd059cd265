import type { Place } from "../../../Rule.ts"
import type { Deviation } from "../lacking/deviations.ts"
import { changedIn, type Deed, isWrite } from "../entries/deeds.ts"
import type { Entry } from "../entries/entries.ts"

/** Limit: length of names from a repository in messages. */
const nameLimit = 60

const short = (name: string): string => (name.length > nameLimit ? `${name.slice(0, nameLimit)}…` : name)

const calledName = ({ reached: { event } }: Deed): string => (event.kind === "call" ? `${short(event.name)}()` : "")

/** The subject of a deed, as a reader knows it. */
export const subjectName = (deed: Deed): string =>
  deed.entryName !== undefined
    ? short(deed.entryName)
    : deed.variable !== undefined
      ? short((changedIn(deed) ?? deed.variable).name)
      : calledName(deed)

const quoted = (name: string): string => `\`${short(name)}\``

/** One or two of the entries. */
const namesOf = (entries: ReadonlyArray<Entry>): string =>
  entries
    .slice(0, 2)
    .map(({ fn }) => quoted(fn.scope))
    .join(" and ")

/** The deed as a step of a trace. */
export const openStep = (deed: Deed): string => `\`${subjectName(deed)}\`, open to anyone`

/** Why a deed looks as if only some callers should be able to do it, with the evidence. */
export const deviationMessage = ({ entry, deed, reason, guarded, of, check, member }: Deviation): string => {
  const name = quoted(entry.fn.name)
  const subject = `\`${subjectName(deed)}\``
  const among = `${guarded.length > 2 ? "such as " : ""}${namesOf(guarded)}`
  const count = `${guarded.length} of ${of}`
  const s = guarded.length === 1 ? "s" : ""
  switch (reason) {
    case "same":
      return `${count} functions that ${isWrite(deed) ? "write" : "call"} ${subject} check${s} the caller (${among}); ${name} does not.`
    case "setter":
      return `${count} setters of this contract check${s} the caller (${among}); ${name} does not.`
    case "global":
      return `${subject} is a contract-wide setting, and the contract has privileged callers (see ${namesOf(guarded)}); ${name} lets anyone change it.`
    case "twin":
      return `The same function in other contracts checks the caller (${namesOf(guarded)}); this ${name} does not.`
    case "person":
      return `${count} functions that change an entry of ${subject} change${s} only the sender's own or check${s} the caller (${among}); ${name} lets the caller change anyone's.`
    case "holder":
      return `Entries of ${subject} belong to whoever creates them (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "right":
      return `Other functions compare entries of ${subject} with the caller (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "standIn":
      return `Entries of ${subject} act for accounts that hold something here (see ${namesOf(guarded)}); ${name} lets anyone replace them.`
    case "repeat":
      return `${subject} counts accounts, and the count decides the outcome; ${name} counts the same account again on every call.`
    case "consent":
      return `${namesOf(guarded)} requires ${subject}, but ${name} lets anyone set it at any time.`
    case "tally":
      return `${subject} counts accounts, and the count decides the outcome; ${name} counts any account, and one person can create as many as needed.`
    case "unspent":
      return `${quoted(check!.name)} limits what the sender may take, but ${name} does not reduce it: the same amount can be taken repeatedly.`
    case "reversed":
      return `${name} compares what the sender has granted in ${subject}, and uses what has been granted to the sender.`
    case "charged":
      return `${name} deducts what it pays from any entry of ${subject} that the caller names, and pays somebody else; nothing shows that the owner of the entry agreed.`
    case "cleared":
      return `${name} looks at the sender's entry of ${subject}, and clears the entry of an account that the caller names.`
    case "party":
      return `Entries of ${subject} name an account (${quoted(member!)}) that no function compares with the caller or pays; ${name} lets anyone act on any entry.`
    case "members":
      return `${count} functions that record something for the sender in ${subject} accept${s} only certain callers (${among}); ${name} accepts anyone.`
    case "peer":
      // Who may call the store is not the concern of the entry in it.
      return `\`${calledName(deed)}\` accepts only certain callers (see ${namesOf(guarded)}), including this contract; ${name} forwards requests from anyone.`
    case "most":
      return `${count} state-changing functions of this contract check${s} the caller (${among}); ${name} does not.`
    case "alone":
      return `${count} functions of this kind check${s} the caller (${among}); ${name} does not.`
    case "dictated":
      return `${subject} decides what other functions do; ${name} lets anyone set it.`
    case "lacking":
      return `${count} functions of this contract perform${s} the same check (${among}); ${name} does not.`
    case "phase":
      return `${count} functions of this contract check${s} its current state (${among}); ${name} does not.`
    case "item":
      return `${count} functions that act on the same item check${s} it (${among}); ${name} does not.`
    case "override":
      return `${check?.kind === "Function" ? quoted(check.scope) : namesOf(guarded)}, which this function overrides, checks the caller; ${name} does not.`
    case "alike":
      return `The same function in other contracts performs a check (${namesOf(guarded)}); this ${name} does not.`
    case "origin":
      return `Messages are sent to ${quoted(check!.name)}, but ${name} does not check that a message comes from there: the messenger delivers messages from anyone.`
    case "unused":
      if (check === undefined)
        return `This contract inherits an access control check, but none of its functions checks the caller; ${name} is open to anyone.`
      if (check?.kind === "StateVariable" || (check?.kind === "Function" && check.returns.length > 0))
        return `This contract stores ${quoted(check.name)}, but no function compares it with the caller; ${name} is open to anyone.`
      return `No function of this contract uses ${quoted(check.name)}, which restricts the caller; ${name} is open to anyone.`
  }
}

/** Trace steps to the similar functions that perform the check. */
export const checkedSteps = (guarded: ReadonlyArray<Entry>): ReadonlyArray<Place & { readonly note: string }> =>
  guarded.slice(0, 3).map(({ fn }) => ({ file: fn.source.file, span: fn.node.nameSpan, note: "performs the check" }))
