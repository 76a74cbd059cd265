import type { Severity } from "../../../../domain/finding/Severity.ts"
import { count } from "./format.ts"
import { Mark, severities, severityLabel } from "./Severity.tsx"

type Counts = Readonly<Record<Severity, number>>

/** One figure per severity; zeros are muted. */
export const SeverityFigures = ({ counts, fresh }: { readonly counts: Counts; readonly fresh?: Counts }) => (
  <dl className="figures">
    {severities.map((severity) => (
      <div key={severity} className={counts[severity] === 0 ? "zero" : undefined}>
        <dt className="severity" data-severity={severity}>
          <Mark severity={severity} /> {severityLabel[severity]}
        </dt>
        <dd>
          <b>{count(counts[severity])}</b>
          {fresh !== undefined && (
            <span className="muted">{fresh[severity] === 0 ? "none new" : `${count(fresh[severity])} new`}</span>
          )}
        </dd>
      </div>
    ))}
  </dl>
)
