import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import { listOf, type Search } from "../../search.ts"
import { count, counted } from "../../ui/format.ts"
import { countsOf, Mark, severities, severityLabel } from "../../ui/Severity.tsx"

interface Props {
  readonly result: AnalysisResult
  readonly search: Search
  readonly change: (change: Readonly<Record<string, string | undefined>>, options?: { readonly push?: boolean }) => void
  readonly decided: number
}

/** The summary; each part of it narrows the list down to what it counts. */
export const ReportBar = ({ result, search, change, decided }: Props) => {
  const { findings, suppressed, coverage, summary } = result
  const counts = countsOf(summary)
  const chosen = listOf(search["severity"], severities)
  const fresh = findings.filter(({ status }) => status === "new").length
  const compared = findings.some(({ status }) => status !== undefined)
  const left = coverage.filesSkipped.length + (coverage.omitted?.filesSkipped ?? 0)
  const doubtful = (coverage.programs ?? []).filter(({ warning }) => warning !== undefined).length
  return (
    <div className="report-bar" role="group" aria-label="Summary">
      {severities.map((severity) => (
        <button
          key={severity}
          type="button"
          aria-pressed={chosen.includes(severity)}
          className={counts[severity] === 0 ? "zero" : undefined}
          onClick={() => {
            const next = chosen.includes(severity) ? chosen.filter((one) => one !== severity) : [...chosen, severity]
            change({ severity: next.join(","), finding: undefined, view: undefined })
          }}
        >
          <span className="severity number" data-severity={severity}>
            <Mark severity={severity} /> {count(counts[severity])} {severityLabel[severity].toLowerCase()}
          </span>
        </button>
      ))}
      {compared && (
        <button
          type="button"
          aria-pressed={search["status"] === "new"}
          onClick={() => change({ status: search["status"] === "new" ? undefined : "new", finding: undefined })}
        >
          {count(fresh)} new
        </button>
      )}
      {decided > 0 && (
        <button
          type="button"
          aria-pressed={search["decision"] === "open"}
          onClick={() => change({ decision: search["decision"] === "open" ? undefined : "open", finding: undefined })}
        >
          {count(decided)} decided{search["decision"] === "open" && ", hidden"}
        </button>
      )}
      {suppressed.length > 0 && (
        <button
          type="button"
          aria-pressed={search["view"] === "suppressed"}
          onClick={() => change({ view: "suppressed" }, { push: true })}
        >
          {count(suppressed.length)} suppressed
        </button>
      )}
      <button
        type="button"
        aria-pressed={search["view"] === "coverage"}
        onClick={() => change({ view: "coverage" }, { push: true })}
      >
        {left === 0 ? `${counted(coverage.filesAnalysed, "file")} analyzed` : `not analyzed: ${counted(left, "file")}`}
        {doubtful > 0 && `, ${counted(doubtful, "program")} not understood`}
      </button>
    </div>
  )
}
