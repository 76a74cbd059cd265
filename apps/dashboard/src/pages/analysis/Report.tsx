import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useCallback, useDeferredValue, useMemo, useState } from "react"
import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { decided } from "../../api/queries.ts"
import { useKeys } from "../../shell/keys.ts"
import { useSearch } from "../../shell/useSearch.ts"
import { useTitle } from "../../shell/useTitle.ts"
import { duration, frameworkName, repositoryName } from "../../ui/format.ts"
import { Menu } from "../../ui/Menu.tsx"
import { Time } from "../../ui/Time.tsx"
import { ExportMenu } from "./ExportMenu.tsx"
import { Filters } from "./Filters.tsx"
import { FindingList } from "./FindingList.tsx"
import { isView, Panel, views } from "./Panel.tsx"
import { Reading } from "./Reading.tsx"
import { ReportBar } from "./ReportBar.tsx"
import { rowsOf, shownRows } from "./rows.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { useRemoval } from "./useRemoval.tsx"

const widest = matchMedia("(min-width: 961px)")

/** The page that decides: findings on one side, the one that is read on the other. */
export const Report = ({ result }: { readonly result: AnalysisResult }) => {
  const { analysisId: id, repository, summary, findings } = result
  useTitle(repositoryName(repository.url))
  const [search, change] = useSearch()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [exporting, setExporting] = useState(false)
  const [more, setMore] = useState(false)
  const [intent, setIntent] = useState<DecisionKind>()
  const removal = useRemoval(id)
  const decisions = useQuery(decided(id))
  const byFingerprint = useMemo(
    () => new Map((decisions.data ?? []).map(({ fingerprint, decision }) => [fingerprint, decision.decision])),
    [decisions.data],
  )
  const loaded = decisions.data !== undefined
  const decisionOf = useCallback(
    ({ fingerprint, decision }: Finding): DecisionKind =>
      byFingerprint.get(fingerprint) ?? (loaded ? "open" : (decision?.decision ?? "open")),
    [byFingerprint, loaded],
  )
  const rows = useMemo(() => rowsOf(findings), [findings])
  const wanted = useDeferredValue(search)
  const shown = useMemo(() => shownRows(rows, wanted, decisionOf), [rows, wanted, decisionOf])

  const view = isView(search["view"]) ? search["view"] : undefined
  const asked = findings.find(({ fingerprint }) => fingerprint === search["finding"])
  const finding = asked ?? (widest.matches ? shown[0]?.finding : undefined)
  const index = shown.findIndex((row) => row.finding === finding)
  const open = (next: Finding | undefined, push = false) =>
    change({ finding: next?.fingerprint, view: undefined, step: undefined }, { push })
  const move = (by: number) => {
    const next = shown[Math.min(shown.length - 1, Math.max(0, index + by))]
    if (next !== undefined) open(next.finding)
  }
  /** After a decision the list moves on by itself, to what is still open. */
  const moveOn = () => {
    setIntent(undefined)
    const next = shown.slice(index + 1).find((row) => decisionOf(row.finding) === "open")
    if (next !== undefined) open(next.finding)
  }
  const toggle = (fingerprint: string) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(fingerprint)) next.add(fingerprint)
      return next
    })
  const step = (by: number) => {
    if (finding === undefined || finding.trace.length === 0) return
    const now = Number(search["step"] ?? 0)
    change({ step: String(Math.min(finding.trace.length, Math.max(1, now + by))) })
  }
  const decide = (kind: DecisionKind) => {
    if (finding !== undefined) setIntent(kind)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    o: () => open(finding, true),
    Enter: () => open(finding, true),
    x: () => finding !== undefined && toggle(finding.fingerprint),
    f: () => decide("false_positive"),
    a: () => decide("accepted_risk"),
    e: () => setExporting(true),
    "/": () => document.querySelector<HTMLInputElement>("#filter")?.focus(),
    "]": () => step(1),
    "[": () => step(-1),
    Escape: () => {
      if (intent !== undefined) setIntent(undefined)
      else if (selected.size > 0) setSelected(new Set())
      else change({ finding: undefined, view: undefined, step: undefined })
    },
  })
  const opened = search["finding"] !== undefined || view !== undefined

  return (
    <div className="report">
      <div className="report-head">
        <div>
          <h1>{repositoryName(repository.url)}</h1>
          <p className="muted break">
            {repository.branch}
            {repository.commit !== undefined && (
              <>
                {" @ "}
                <span className="mono">{repository.commit.slice(0, 7)}</span>
              </>
            )}
            {repository.path !== undefined && ` · ${repository.path}`} · <Time at={result.completedAt} /> ·{" "}
            {frameworkName[repository.framework]} · {duration(summary.analysisTime)}
          </p>
        </div>
        <div className="actions">
          <ExportMenu id={id} open={exporting} onOpenChange={setExporting} />
          <Menu
            label="More"
            open={more}
            onOpenChange={setMore}
            items={[
              ...views.map(({ name, label }) => ({ label, onSelect: () => change({ view: name }, { push: true }) })),
              { label: "Delete…", onSelect: removal.ask },
            ]}
          />
          <Link
            to="/analyses/new"
            search={{ url: repository.url, branch: repository.branch === "HEAD" ? "" : repository.branch }}
            className="button"
          >
            Run again
          </Link>
        </div>
      </div>
      <ReportBar result={result} search={search} change={change} decided={byFingerprint.size} />
      <div className="report-body" data-opened={opened}>
        <section className="finding-list" aria-label="Findings">
          <div>
            <Filters
              findings={findings}
              search={search}
              change={change}
              shown={shown.length}
              onEnter={() => open(shown[0]?.finding)}
            />
            {selected.size > 0 && <SelectionBar id={id} selected={selected} onDone={() => setSelected(new Set())} />}
          </div>
          <FindingList
            rows={shown}
            total={findings.length}
            active={finding?.fingerprint}
            selected={selected}
            decisionOf={decisionOf}
            onOpen={(one) => open(one, true)}
            onToggle={toggle}
            coverage={result.coverage}
          />
        </section>
        <section className="reading" aria-label={view === undefined ? "Finding" : "About the analysis"}>
          {opened && (
            <button
              type="button"
              className="button back"
              onClick={() => change({ finding: undefined, view: undefined, step: undefined })}
            >
              Back to the list
            </button>
          )}
          {view !== undefined ? (
            <Panel view={view} result={result} search={search} change={change} />
          ) : finding === undefined ? (
            <p className="muted">{shown.length === 0 ? "" : "Choose a finding."}</p>
          ) : (
            <Reading
              key={finding.fingerprint}
              id={id}
              repository={repository}
              finding={finding}
              decision={decisionOf(finding)}
              step={Number(search["step"] ?? 0) || undefined}
              onStep={(next) => change({ step: String(next) })}
              intent={intent}
              onIntent={setIntent}
              onDecided={moveOn}
            />
          )}
        </section>
      </div>
      {removal.dialog}
    </div>
  )
}
