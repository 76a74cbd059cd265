import type { Advisory, AffectedPackage, Registry } from "./Advisory.ts"

/** An advisory together with what it says about one package. */
export interface Concern {
  readonly advisory: Advisory
  readonly affected: ReadonlyArray<AffectedPackage>
}

/** Advisories by the package that they are about. */
export class AdvisorySet {
  private readonly byPackage = new Map<string, Array<Concern>>()

  /** A later advisory replaces an earlier one with the same id; one that affects nothing withdraws it. */
  constructor(advisories: Iterable<Advisory>) {
    const byId = new Map<string, Advisory>()
    for (const advisory of advisories) byId.set(advisory.id, advisory)
    for (const advisory of byId.values()) {
      for (const [key, affected] of Map.groupBy(advisory.affected, ({ registry, name }) => `${registry} ${name}`)) {
        const concerns = this.byPackage.get(key) ?? []
        this.byPackage.set(key, concerns)
        concerns.push({ advisory, affected })
      }
    }
  }

  about(registry: Registry, name: string): ReadonlyArray<Concern> {
    return this.byPackage.get(`${registry} ${name}`) ?? []
  }
}

/**
 * Groups entries about the same problem, judging by their ids and aliases; the one with a severity of its own comes
 * first.
 */
export const sameProblem = (concerns: ReadonlyArray<Concern>): ReadonlyArray<readonly [Concern, ...Array<Concern>]> => {
  const groups: Array<{ names: Set<string>; members: Array<Concern> }> = []
  for (const concern of concerns) {
    const names = [concern.advisory.id, ...concern.advisory.aliases]
    const alike = groups.filter((group) => names.some((name) => group.names.has(name)))
    const merged = {
      names: new Set([...alike.flatMap((group) => [...group.names]), ...names]),
      members: [...alike.flatMap((group) => group.members), concern],
    }
    for (const group of alike) groups.splice(groups.indexOf(group), 1)
    groups.push(merged)
  }
  return groups.map(({ members }) => {
    const [lead, ...others] = members.toSorted(
      (a, b) => Number(b.advisory.rated) - Number(a.advisory.rated) || (a.advisory.id < b.advisory.id ? -1 : 1),
    )
    return [lead!, ...others]
  })
}
