import type { SuppressedFinding } from "../../../../../domain/finding/Finding.ts"
import { counted } from "../../ui/format.ts"
import { Severity } from "../../ui/Severity.tsx"

interface Props {
  readonly findings: ReadonlyArray<SuppressedFinding>
  readonly omitted: number
}

export const Suppressed = ({ findings, omitted }: Props) => (
  <section className="section" aria-labelledby="suppressed">
    <h2 id="suppressed">Suppressed findings</h2>
    {findings.length === 0 ? (
      <p className="muted">No findings are suppressed by comments in the source.</p>
    ) : (
      <>
        <p>Comments in the source exclude these findings from the counts.</p>
        <ul className="section">
          {findings.slice(0, 500).map((finding) => (
            <li key={finding.fingerprint}>
              <Severity severity={finding.severity} /> {finding.title}
              <p className="mono break muted">
                {finding.location.file}:{finding.location.lineStart}
              </p>
              <p className="prose plain">{finding.suppression.reason || "No reason given."}</p>
            </li>
          ))}
        </ul>
      </>
    )}
    {omitted + Math.max(0, findings.length - 500) > 0 && (
      <p className="muted">{counted(omitted + Math.max(0, findings.length - 500), "more one", "more")} not listed.</p>
    )}
  </section>
)
