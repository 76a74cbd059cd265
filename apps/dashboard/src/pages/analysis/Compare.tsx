import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import type { Output } from "../../api/contract.ts"
import { analyses, compare } from "../../api/queries.ts"
import { Choice } from "../../ui/Choice.tsx"
import { count, exactTime } from "../../ui/format.ts"
import { Severity } from "../../ui/Severity.tsx"
import { Shown } from "../../ui/State.tsx"

type Findings = Output<"overview.compare">["new"]

interface Props {
  readonly result: AnalysisResult
  readonly against: string | undefined
  readonly onChoose: (against: string | undefined) => void
}

const Group = ({
  title,
  total,
  findings,
  analysisId,
}: {
  readonly title: string
  readonly total: number
  readonly findings: Findings
  readonly analysisId: string
}) => (
  <details open={title !== "Unchanged" && total > 0}>
    <summary>
      {title}: {count(total)}
    </summary>
    <ul className="section">
      {findings.map((finding) => (
        <li key={finding.fingerprint} className="break">
          <Severity severity={finding.severity} />{" "}
          <Link to="/analyses/$id" params={{ id: analysisId }} search={{ finding: finding.fingerprint }}>
            {finding.title}
          </Link>{" "}
          <span className="muted mono">
            {finding.location.file}:{finding.location.lineStart}
          </span>
        </li>
      ))}
    </ul>
  </details>
)

const Compared = ({ id, otherId }: { readonly id: string; readonly otherId: string }) => {
  const query = useQuery(compare(id, otherId))
  return (
    <Shown query={query}>
      {(view) => (
        <>
          <Group title="New" total={view.counts.new} findings={view.new} analysisId={id} />
          <Group title="Fixed" total={view.counts.fixed} findings={view.fixed} analysisId={otherId} />
          <Group title="Unchanged" total={view.counts.unchanged} findings={view.unchanged} analysisId={id} />
        </>
      )}
    </Shown>
  )
}

export const Compare = ({ result, against, onChoose }: Props) => {
  const { analysisId, repository } = result
  const query = useQuery(analyses({ repositoryUrl: repository.url, status: "completed", limit: 100 }))
  return (
    <section className="section" aria-labelledby="compare">
      <h2 id="compare">Compare with another analysis</h2>
      <Shown query={query}>
        {({ items }) => {
          const others = items.filter((item) => item.analysisId !== analysisId)
          return others.length === 0 ? (
            <p className="muted">This is the only completed analysis of the repository.</p>
          ) : (
            <Choice
              label="Against"
              any="Choose one"
              value={others.some((one) => one.analysisId === against) ? against : undefined}
              options={others.map((one) => [
                one.analysisId,
                `${one.branch} · ${exactTime(one.completedAt ?? one.createdAt)}`,
              ])}
              onChange={onChoose}
            />
          )
        }}
      </Shown>
      {against !== undefined && /^[0-9a-f-]{36}$/i.test(against) && <Compared id={analysisId} otherId={against} />}
    </section>
  )
}
