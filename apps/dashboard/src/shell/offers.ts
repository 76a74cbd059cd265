const offered: ReadonlySet<string> = new Set(
  document.querySelector<HTMLMetaElement>("meta[name=assay-offers]")?.content.split(" "),
)

/** What the service is configured for: features that cannot work are not shown. */
export const offers = (what: "github" | "billing"): boolean => offered.has(what)
