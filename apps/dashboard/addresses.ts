/** The first segments of the dashboard's paths; the service returns its single document for them. */
const sections: ReadonlySet<string> = new Set([
  "sign-in",
  "analyses",
  "repositories",
  "rules",
  "settings",
  "subscription",
])

/**
 * Whether a path is a page of the dashboard; a path that looks like a file is not, and `//health` is as unknown as
 * `/HEALTH`.
 */
export const isPage = (path: string): boolean => {
  const segments = path.split("/").slice(1)
  return path === "/" || (segments.length <= 4 && sections.has(segments[0]!) && !segments.at(-1)!.includes("."))
}
