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

const namesOf = (entries: ReadonlyArray<Entry>): string => {
  const [first, second] = entries
  const names = [first, second].flatMap((entry) => (entry === undefined ? [] : [short(entry.fn.scope)]))
  return names.join(" and ")
}

/** Why a deed looks as if only some callers should be able to do it, with the evidence. */
export const whyAlike = ({ entry, deed, reason, guarded, of, check, member }: Deviation): string => {
  const name = short(entry.fn.name)
  const subject = subjectName(deed)
  const among = `${namesOf(guarded)} ${guarded.length > 1 ? "among them" : "that is"}`
  const count = `${guarded.length} of ${of}`
  switch (reason) {
    case "same":
      return !isWrite(deed)
        ? `${count} functions that call ${subject} check the caller (${among}); ${name} does not.`
        : `${count} functions that write ${subject} check the caller (${among}); ${name} does not.`
    case "setter":
      return `${count} setters of this contract check the caller (${among}); ${name} does not.`
    case "global":
      return `${subject} is a contract-wide setting, and the contract has privileged callers (see ${namesOf(guarded)}); ${name} lets anyone change it.`
    case "twin":
      return `The same function in other contracts checks the caller (${namesOf(guarded)}); this ${name} does not.`
    case "person":
      return `${count} functions that change an entry of ${subject} change only the sender's own or check the caller (${among}); ${name} changes anyone's.`
    case "holder":
      return `Entries of ${subject} belong to whoever creates them (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "right":
      return `Other functions compare entries of ${subject} with the caller (see ${namesOf(guarded)}); ${name} lets anyone change them.`
    case "standIn":
      return `Entries of ${subject} stand for accounts that hold something here (see ${namesOf(guarded)}); ${name} lets anyone replace them.`
    case "repeat":
      return `${subject} counts accounts, and their number decides; ${name} counts the same account as often as it calls.`
    case "consent":
      return `${namesOf(guarded)} requires ${subject}, but ${name} lets anyone set it at any time.`
    case "tally":
      return `${subject} counts accounts, and their number decides; ${name} counts any account, and one person can create as many as needed.`
    case "unspent":
      return `${short(check!.name)} limits what the sender may take, but ${name} does not reduce it: the same amount can be taken repeatedly.`
    case "charged":
      return `${name} takes what it pays from anyone's entry of ${subject}, and pays somebody else; nothing shows that the account agrees.`
    case "party":
      return `Entries of ${subject} name an account (${short(member!)}) that no function compares with the caller or pays; ${name} lets anyone decide about any entry.`
    case "members":
      return `${count} functions that record something for the sender in ${subject} admit only some callers (${among}); ${name} admits anyone.`
    case "peer":
      // Who may call the store is not the concern of the entry in it.
      return `${calledName(deed)} admits only some callers (see ${namesOf(guarded)}), including this contract; ${name} forwards anyone's request.`
    case "most":
      return `${count} state-changing functions of this contract check the caller (${among}); ${name} does not.`
    case "alone":
      return `${count} functions of this kind check the caller (${among}); ${name} does not.`
    case "lacking":
      return `${count} functions of this contract perform the same check (${among}); ${name} does not.`
    case "phase":
      return `${count} functions of this contract check its current state (${among}); ${name} does not.`
    case "item":
      return `${count} functions that act on the same item check it (${among}); ${name} does not.`
    case "override":
      return `${check?.kind === "Function" ? check.scope : namesOf(guarded)}, which this function overrides, checks the caller; ${name} does not.`
    case "alike":
      return `The same function in other contracts performs a check (${namesOf(guarded)}); this ${name} does not.`
    case "origin":
      return `Messages go to ${short(check!.name)}, but ${name} does not check that a message comes from there: the messenger delivers anyone's messages.`
    case "unused":
      if (check === undefined)
        return `This contract inherits a base that admits only some callers, but none of its functions checks the caller; ${name} is open to anyone.`
      if (check?.kind === "StateVariable" || (check?.kind === "Function" && check.returns.length > 0))
        return `This contract stores ${short(check.name)}, but no function compares it with the caller; ${name} is open to anyone.`
      return `No function of this contract uses ${short(check.name)}, which admits only some callers; ${name} is open to anyone.`
  }
}

/** Trace steps to the similar functions that are checked. */
export const checkedSteps = (guarded: ReadonlyArray<Entry>): ReadonlyArray<Place & { readonly note: string }> =>
  guarded
    .slice(0, 3)
    .map(({ fn }) => ({ file: fn.source.file, span: fn.node.nameSpan, note: "the caller is checked here" }))
