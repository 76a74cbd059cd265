import type { RuleMeta } from "./Rule.ts"

/** Everything worth reading about a rule: its own references, then the registries' entries. */
export const referencesOf = (meta: RuleMeta): ReadonlyArray<string> => {
  const all = [
    ...meta.references,
    ...(meta.swc === undefined ? [] : [`https://swcregistry.io/docs/SWC-${meta.swc}`]),
    ...meta.cwe.map((number) => `https://cwe.mitre.org/data/definitions/${number}.html`),
  ]
  // A rule may itself refer to the registry's entry.
  return [...new Map(all.map((url) => [url.replace(/\/$/, ""), url])).values()]
}
