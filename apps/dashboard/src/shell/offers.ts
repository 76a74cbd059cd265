const offered: ReadonlySet<string> = new Set(
  document.querySelector<HTMLMetaElement>("meta[name=assay-offers]")?.content.split(" "),
)

/** Whether the service that this page came from is configured for it: what cannot work is not shown. */
export const offers = (what: "github" | "billing"): boolean => offered.has(what)
