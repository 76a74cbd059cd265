import type { CargoManifest, CrateDependency } from "./files/cargoManifest.ts"

/** What a package of the project links, and the package through which it is itself linked. */
export interface Linked {
  readonly manifest: CargoManifest
  readonly dependencies: ReadonlyArray<CrateDependency>
  /** Undefined for a program. */
  readonly through: Linked | undefined
}

interface Member {
  readonly manifest: CargoManifest
  readonly through: Member | undefined
  /** Features, and `dep:key` for optional dependencies. */
  readonly on: Set<string>
}

/**
 * The packages of a project that are linked into its programs, with the features that are on in them: the programs'
 * defaults, and those that packages request of each other. https://doc.rust-lang.org/cargo/reference/features.html
 */
export const linkedPackages = (
  programs: ReadonlyArray<CargoManifest>,
  named: (name: string) => CargoManifest | undefined,
): ReadonlyMap<CargoManifest, Linked> => {
  const members = new Map<CargoManifest, Member>()
  const queue: Array<{ member: Member; feature: string }> = []
  const reached: Array<Member> = []
  const reach = (manifest: CargoManifest, through: Member | undefined): Member => {
    const known = members.get(manifest)
    if (known !== undefined) return known
    const member: Member = { manifest, through, on: new Set() }
    members.set(manifest, member)
    reached.push(member)
    return member
  }
  const turnOn = (member: Member, feature: string): void => {
    if (member.on.has(feature)) return
    member.on.add(feature)
    queue.push({ member, feature })
  }
  const ask = (member: Member, { name }: CrateDependency, features: ReadonlyArray<string>): void => {
    const manifest = named(name)
    if (manifest === undefined) return
    const asked = reach(manifest, member)
    for (const feature of features) turnOn(asked, feature)
  }
  const follow = (member: Member, feature: string): void => {
    const { dependencies, features } = member.manifest
    const [, key, weak, inner] = /^([^/?]+)(\?)?\/(.+)$/.exec(feature) ?? []
    if (key !== undefined && inner !== undefined) {
      if (weak === undefined) turnOn(member, `dep:${key}`)
      for (const one of dependencies) if (one.key === key) ask(member, one, [inner])
    } else if (feature.startsWith("dep:")) {
      for (const one of dependencies) if (`dep:${one.key}` === feature) ask(member, one, one.features)
    } else if (features.has(feature)) for (const one of features.get(feature)!) turnOn(member, one)
    else turnOn(member, `dep:${feature}`)
  }
  for (const program of programs) turnOn(reach(program, undefined), "default")
  for (let next = 0, at = 0; next < reached.length || at < queue.length;) {
    if (next < reached.length) {
      const member = reached[next++]!
      for (const one of member.manifest.dependencies) if (!one.optional) ask(member, one, one.features)
    } else {
      const { member, feature } = queue[at++]!
      follow(member, feature)
    }
  }
  const linked = new Map<CargoManifest, Linked>()
  for (const [manifest, { on, through }] of members) {
    const dependencies = manifest.dependencies.filter(({ optional, key }) => !optional || on.has(`dep:${key}`))
    // A package comes after the one through which it is reached.
    linked.set(manifest, { manifest, dependencies, through: through && linked.get(through.manifest) })
  }
  return linked
}
