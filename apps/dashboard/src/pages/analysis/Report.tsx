import { useQuery } from "@tanstack/react-query"
import { useCallback, useDeferredValue, useMemo, useState } from "react"
import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { decided as decidedOf } from "../../api/queries.ts"
import { useKeys } from "../../shell/keys.ts"
import { useSearch } from "../../shell/useSearch.ts"
import { useTitle } from "../../shell/useTitle.ts"
import { repositoryName } from "../../ui/format.ts"
import { Filters } from "./Filters.tsx"
import { FindingList } from "./FindingList.tsx"
import { isView, Panel } from "./Panel.tsx"
import { Reading } from "./Reading.tsx"
import { ReportBar } from "./ReportBar.tsx"
import { ReportHead } from "./ReportHead.tsx"
import { rowsOf, shownRows } from "./rows.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { useRemoval } from "./useRemoval.tsx"

const widest = matchMedia("(min-width: 961px)")

/** The decision about each finding: those in the result apply until the rest has loaded. */
const useDecisions = (id: string) => {
  const decisions = useQuery(decidedOf(id))
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
  return { decided: byFingerprint.size, decisionOf }
}

type DecisionOf = ReturnType<typeof useDecisions>["decisionOf"]

/** The findings selected for a bulk decision. */
const useSelection = () => {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [intent, onIntent] = useState<DecisionKind>()
  const clear = () => {
    setSelected(new Set())
    onIntent(undefined)
  }
  const toggle = (fingerprint: string) =>
    setSelected((before) => {
      const next = new Set(before)
      if (!next.delete(fingerprint)) next.add(fingerprint)
      return next
    })
  return { selected, clear, toggle, intent, onIntent }
}

/**
 * The selected finding according to the address, the findings that its filters leave, and how to move on from there.
 */
const useListPosition = (findings: ReadonlyArray<Finding>, decisionOf: DecisionOf) => {
  const [search, change] = useSearch()
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
  /** After a decision, the list moves on to the next open finding. */
  const moveOn = () => {
    const next = shown.slice(index + 1).find((row) => decisionOf(row.finding) === "open")
    if (next !== undefined) open(next.finding)
  }
  const close = () => change({ finding: undefined, view: undefined, step: undefined })
  const step = (by: number) => {
    if (finding === undefined || finding.trace.length === 0) return
    const now = Number(search["step"] ?? 0)
    change({ step: String(Math.min(finding.trace.length, Math.max(1, now + by))) })
  }
  const opened = search["finding"] !== undefined || view !== undefined
  return { search, change, shown, view, finding, opened, open, move, moveOn, close, step }
}

type ListPosition = ReturnType<typeof useListPosition>

interface Deciding {
  /** The decision in progress about the current finding. */
  readonly intent: DecisionKind | undefined
  readonly onIntent: (intent: DecisionKind | undefined) => void
}

/** Supports working through the report with the keyboard alone. */
const useReportKeys = (
  { finding, open, move, close, step }: ListPosition,
  { selected, clear, toggle, onIntent: onIntentForAll }: ReturnType<typeof useSelection>,
  { intent, onIntent }: Deciding,
  onExport: () => void,
) => {
  const decide = (kind: DecisionKind) => {
    if (selected.size > 0) onIntentForAll(kind)
    else if (finding !== undefined) onIntent(kind)
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
    e: () => onExport(),
    "/": () => document.querySelector<HTMLInputElement>("#filter")?.focus(),
    "]": () => step(1),
    "[": () => step(-1),
    Escape: () => {
      if (intent !== undefined) onIntent(undefined)
      else if (selected.size > 0) clear()
      else close()
    },
  })
}

interface ReadingSideProps {
  readonly result: AnalysisResult
  readonly place: ListPosition
  readonly decisionOf: DecisionOf
  readonly deciding: Deciding
}

/** The current finding, or the other parts of the report. */
const ReadingSide = ({ result, place, decisionOf, deciding: { intent, onIntent } }: ReadingSideProps) => {
  const { search, change, shown, view, finding } = place
  const moveOn = () => {
    onIntent(undefined)
    place.moveOn()
  }
  return (
    <section className="reading" aria-label={view === undefined ? "Finding" : "About the analysis"}>
      {place.opened && (
        <button type="button" className="button back" onClick={place.close}>
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
          id={result.analysisId}
          repository={result.repository}
          finding={finding}
          decision={decisionOf(finding)}
          step={Number(search["step"] ?? 0) || undefined}
          onStep={(next) => change({ step: String(next) })}
          intent={intent}
          onIntent={onIntent}
          onDecided={moveOn}
        />
      )}
    </section>
  )
}

/** The triage page: findings on one side, the current one on the other. */
export const Report = ({ result }: { readonly result: AnalysisResult }) => {
  const { analysisId: id, repository, findings } = result
  useTitle(repositoryName(repository.url))
  const { decided, decisionOf } = useDecisions(id)
  const place = useListPosition(findings, decisionOf)
  const { search, change, shown, open } = place
  const selection = useSelection()
  const [exporting, setExporting] = useState(false)
  const [intent, setIntent] = useState<DecisionKind>()
  const deciding = { intent, onIntent: setIntent }
  const removal = useRemoval(id)
  useReportKeys(place, selection, deciding, () => setExporting(true))

  return (
    <div className="report">
      <ReportHead
        result={result}
        exporting={exporting}
        onExporting={setExporting}
        onView={(view) => change({ view }, { push: true })}
        onDelete={removal.ask}
      />
      <ReportBar result={result} search={search} change={change} decided={decided} />
      <div className="report-body" data-opened={place.opened}>
        <section className="finding-list" aria-label="Findings">
          <div>
            <Filters
              findings={findings}
              search={search}
              change={change}
              shown={shown.length}
              onEnter={() => open(shown[0]?.finding)}
            />
            {selection.selected.size > 0 && <SelectionBar id={id} {...selection} onDone={selection.clear} />}
          </div>
          <FindingList
            rows={shown}
            total={findings.length}
            active={place.finding?.fingerprint}
            selected={selection.selected}
            decisionOf={decisionOf}
            onOpen={(one) => open(one, true)}
            onToggle={selection.toggle}
            coverage={result.coverage}
          />
        </section>
        <ReadingSide result={result} place={place} decisionOf={decisionOf} deciding={deciding} />
      </div>
      {removal.dialog}
    </div>
  )
}
