import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import type { AnalyzedRepository } from "../../../../../domain/analysis/Analysis.ts"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { source } from "../../api/queries.ts"
import { Away } from "../../ui/Away.tsx"
import { Code } from "../../ui/Code.tsx"
import { words } from "../../ui/format.ts"
import { InlineCode } from "../../ui/InlineCode.tsx"
import { Prose } from "../../ui/Prose.tsx"
import { References } from "../../ui/References.tsx"
import { Severity } from "../../ui/Severity.tsx"
import { rulePage } from "../../ui/rulePage.ts"
import { Decide } from "./Decide.tsx"
import { FoundBy, Reviewed } from "./Reviewed.tsx"

interface Props {
  readonly id: string
  readonly repository: AnalyzedRepository
  readonly finding: Finding
  readonly decision: DecisionKind
  /** From 1; undefined before the first step. */
  readonly step: number | undefined
  readonly onStep: (step: number) => void
  readonly intent: DecisionKind | undefined
  readonly onIntent: (intent: DecisionKind | undefined) => void
  readonly onDecided: () => void
}

/** Lines around the marked ones. */
const [before, after, most] = [24, 40, 600]

const onHost = ({ url, commit }: AnalyzedRepository, file: string, line: number): string | undefined =>
  commit !== undefined && url.startsWith("https://github.com/")
    ? `${url.replace(/\.git$/, "")}/blob/${commit}/${file.split("/").map(encodeURIComponent).join("/")}#L${line}`
    : undefined

const Sources = ({ id, finding, step }: Pick<Props, "id" | "finding" | "step">) => {
  const at = step === undefined ? undefined : finding.trace[step - 1]
  const { location, trace } = finding
  const file = at?.file ?? location.file
  const query = useQuery(source(id, file))
  const steps = useMemo(
    () => trace.flatMap((one, index) => (one.file === file ? [{ line: one.line, number: index + 1 }] : [])),
    [trace, file],
  )
  const own = file === location.file
  const focus = at?.line ?? location.lineStart
  const window = useMemo(() => {
    if (query.data === undefined) return undefined
    const lines = query.data.content.split("\n")
    const marks = [focus, ...(own ? [location.lineStart, location.lineEnd] : []), ...steps.map(({ line }) => line)]
    const near = marks.filter((line) => Math.abs(line - focus) < most / 2)
    const from = Math.max(1, Math.min(...near) - before)
    const to = Math.min(lines.length, Math.max(...near) + after)
    return { from, text: lines.slice(from - 1, to).join("\n") }
  }, [query.data, focus, own, location, steps])

  const marked: readonly [number, number] = own ? [location.lineStart, location.lineEnd] : [focus, focus]
  const isMarked = (line: number) => line >= marked[0] && line <= marked[1]
  const common = { file, isMarked, focus, steps, currentStep: step }
  if (window !== undefined) return <Code {...common} text={window.text} firstLine={window.from} />
  return (
    <div className="section">
      {own && location.snippet !== undefined ? (
        <Code {...common} text={location.snippet} firstLine={location.lineStart} />
      ) : (
        <p className="muted">
          {query.isPending ? "Loading the file…" : "The report contains no code for this location."}
        </p>
      )}
      {query.error !== null && <p className="muted">{query.error.message}</p>}
    </div>
  )
}

const Head = ({ repository, finding }: Pick<Props, "repository" | "finding">) => {
  const { location } = finding
  const away = onHost(repository, location.file, location.lineStart)
  const lines =
    location.lineEnd === location.lineStart ? location.lineStart : `${location.lineStart}–${location.lineEnd}`
  return (
    <header className="finding-head">
      <h2>{finding.title}</h2>
      <p className="meta">
        <Severity severity={finding.severity} />
        <span>{words(finding.confidence)} confidence</span>
        <span>{words(finding.category)}</span>
        {finding.status !== undefined && <span>{words(finding.status)}</span>}
        <FoundBy finding={finding} />
      </p>
      <p className="mono break">
        {location.file}:{lines} {away !== undefined && <Away href={away}>Open on GitHub</Away>}
      </p>
    </header>
  )
}

const Steps = ({ finding, step, onStep }: Pick<Props, "finding" | "step" | "onStep">) => (
  <section className="section" aria-labelledby="trace">
    <h3 id="trace">Trace</h3>
    <ol className="steps">
      {finding.trace.map((one, index) => (
        <li key={index}>
          <button
            type="button"
            aria-current={step === index + 1 ? "step" : undefined}
            onClick={() => onStep(index + 1)}
          >
            <span className="number">{index + 1}.</span>
            <span>
              <InlineCode text={one.note} />{" "}
              <span className="muted mono">
                {one.file}:{one.line}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  </section>
)

export const Reading = ({ id, repository, finding, decision, step, onStep, intent, onIntent, onDecided }: Props) => {
  const { trace, references } = finding
  return (
    <>
      <Head repository={repository} finding={finding} />
      <Sources id={id} finding={finding} step={step} />
      {trace.length > 0 && <Steps finding={finding} step={step} onStep={onStep} />}
      <Decide id={id} finding={finding} current={decision} intent={intent} onIntent={onIntent} onDecided={onDecided} />
      <section className="section" aria-labelledby="attack">
        <h3 id="attack">Attack</h3>
        <Prose text={finding.description} />
      </section>
      {finding.review !== undefined && <Reviewed review={finding.review} />}
      <section className="section" aria-labelledby="remedy">
        <h3 id="remedy">Remediation</h3>
        <Prose text={finding.remediation} />
      </section>
      {references.length > 0 && <References references={references} heading="h3" />}
      <p className="muted">
        Rule{" "}
        {finding.ruleId.startsWith("external/") ? (
          // Checks of other engines have no page here.
          <span className="mono break">{finding.ruleId}</span>
        ) : (
          <Link to="/rules/$framework/$category/$rule" params={rulePage(finding.ruleId)} className="mono break">
            {finding.ruleId}
          </Link>
        )}
      </p>
    </>
  )
}
