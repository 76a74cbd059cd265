import type { Severity as Name } from "../../../../domain/finding/Severity.ts"
import { count } from "./format.ts"

/** Worst first. */
export const severities: ReadonlyArray<Name> = ["critical", "high", "medium", "low", "informational"]

export const severityLabel: Readonly<Record<Name, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  informational: "Info",
}

const shapes: Readonly<Record<Name, React.ReactNode>> = {
  critical: <path d="M4 0h6l4 4v6l-4 4H4l-4-4V4z" fill="currentColor" />,
  high: <path d="M7 0l7 7-7 7-7-7z" fill="currentColor" />,
  medium: <path d="M7 1l7 12H0z" fill="currentColor" />,
  low: <circle cx="7" cy="7" r="6" fill="currentColor" />,
  informational: <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="2" />,
}

/** A separate shape for each severity, so that color is never the only cue. */
export const Mark = ({ severity, size = 12 }: { readonly severity: Name; readonly size?: number }) => (
  <svg viewBox="0 0 14 14" width={size} height={size} aria-hidden="true">
    {shapes[severity]}
  </svg>
)

export const Severity = ({ severity }: { readonly severity: Name }) => (
  <span className="severity" data-severity={severity}>
    <Mark severity={severity} />
    {severityLabel[severity]}
  </span>
)

interface Counts {
  readonly criticalFindings: number
  readonly highFindings: number
  readonly mediumFindings: number
  readonly lowFindings: number
  readonly totalFindings: number
}

/** A summary's counts by severity; informational ones are the total less all others. */
export const countsOf = (summary: Counts): Readonly<Record<Name, number>> => {
  const { criticalFindings: critical, highFindings: high, mediumFindings: medium, lowFindings: low } = summary
  return { critical, high, medium, low, informational: summary.totalFindings - critical - high - medium - low }
}

/** The nonzero counts, in one line. */
export const SeverityCounts = ({ counts }: { readonly counts: Readonly<Record<Name, number>> }) => {
  const present = severities.filter((severity) => counts[severity] > 0)
  if (present.length === 0) return <span className="muted">No findings</span>
  return (
    <span className="legend">
      {present.map((severity) => (
        <span key={severity} className="severity number" data-severity={severity}>
          <Mark severity={severity} size={10} />
          <span aria-hidden="true">{count(counts[severity])}</span>
          <span className="visually-hidden">
            {counts[severity]} {severityLabel[severity]}
          </span>
        </span>
      ))}
    </span>
  )
}
