import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import type { Search } from "../../search.ts"
import { Badge } from "./Badge.tsx"
import { Compare } from "./Compare.tsx"
import { Coverage } from "./Coverage.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { Suppressed } from "./Suppressed.tsx"

export const views = [
  { name: "coverage", label: "What was analyzed" },
  { name: "suppressed", label: "Suppressed findings" },
  { name: "compare", label: "Compare" },
  { name: "badge", label: "Badge" },
  { name: "deliveries", label: "Notifications" },
] as const
export type View = (typeof views)[number]["name"]

export const isView = (name: string | undefined): name is View => views.some((view) => view.name === name)

interface Props {
  readonly view: View
  readonly result: AnalysisResult
  readonly search: Search
  readonly change: (change: Readonly<Record<string, string | undefined>>) => void
}

/** The parts of a report besides its findings. */
export const Panel = ({ view, result, search, change }: Props) => {
  switch (view) {
    case "coverage":
      return <Coverage coverage={result.coverage} />
    case "suppressed":
      return <Suppressed findings={result.suppressed} omitted={result.coverage.omitted?.suppressed ?? 0} />
    case "compare":
      return <Compare result={result} against={search["against"]} onChoose={(against) => change({ against })} />
    case "badge":
      return <Badge id={result.analysisId} />
    case "deliveries":
      return <Deliveries id={result.analysisId} />
  }
}
