import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useRef } from "react"
import type { Coverage } from "../../../../../domain/analysis/Coverage.ts"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { decisionLabel } from "../../ui/Decision.tsx"
import { counted } from "../../ui/format.ts"
import { Mark, severityLabel } from "../../ui/Severity.tsx"
import { Empty } from "../../ui/State.tsx"
import type { Row } from "./rows.ts"

/** As in report.css. */
const rowHeight = 64

interface Props {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
  readonly active: string | undefined
  readonly selected: ReadonlySet<string>
  readonly decisionOf: (finding: Finding) => DecisionKind
  readonly onOpen: (finding: Finding) => void
  readonly onToggle: (fingerprint: string) => void
  readonly coverage: Coverage
}

const Tag = ({ finding, decision }: { readonly finding: Finding; readonly decision: DecisionKind }) => {
  if (decision !== "open") return <span className="tag">{decisionLabel[decision]}</span>
  if (finding.ruleId.startsWith("external/ai/")) return <span className="tag">AI</span>
  if (finding.status === "new") return <span className="tag new">New</span>
  return finding.status === "reopened" ? <span className="tag new">Reopened</span> : undefined
}

/** What an empty list means: nothing was found, and in what; or the filters match nothing. */
const Nothing = ({ total, coverage }: Pick<Props, "total" | "coverage">) => (
  <div className="list" tabIndex={-1}>
    <Empty title={total === 0 ? "No findings" : "No matching findings"}>
      {total === 0 ? (
        <p>
          In {counted(coverage.filesAnalysed, "file")}, by {counted(coverage.rulesRun, "rule")}.{" "}
          {coverage.filesSkipped.length === 0
            ? "Every file was read."
            : `Not analyzed: ${counted(coverage.filesSkipped.length, "file")}.`}
        </p>
      ) : (
        <p>Change or clear the filters.</p>
      )}
    </Empty>
  </div>
)

interface ItemProps {
  readonly finding: Finding
  readonly decision: DecisionKind
  readonly chosen: boolean
}

const Item = ({ finding, decision, chosen }: ItemProps) => (
  <>
    <span className="mark">{chosen ? <span aria-hidden="true">✓</span> : <Mark severity={finding.severity} />}</span>
    <span className="title">
      <span className="visually-hidden">{severityLabel[finding.severity]}: </span>
      {finding.title}
    </span>
    <Tag finding={finding} decision={decision} />
    <span className="place mono">
      <bdi>
        {finding.location.file}:{finding.location.lineStart}
      </bdi>
    </span>
  </>
)

/** Only the visible part is in the document: ten thousand findings scroll like ten. */
export const FindingList = ({ rows, total, active, selected, decisionOf, onOpen, onToggle, coverage }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    initialRect: { width: 400, height: 640 },
  })
  const index = rows.findIndex(({ finding }) => finding.fingerprint === active)
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index, { align: "auto" })
  }, [index, virtual])

  if (rows.length === 0) return <Nothing total={total} coverage={coverage} />
  return (
    <div
      className="list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label="Findings, most severe first"
      aria-multiselectable="true"
      aria-activedescendant={index >= 0 ? `finding-${active}` : undefined}
    >
      <div className="list-inner" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const { finding } = rows[index]!
          const decision = decisionOf(finding)
          const chosen = selected.has(finding.fingerprint)
          return (
            <div
              key={finding.fingerprint}
              id={`finding-${finding.fingerprint}`}
              role="option"
              aria-selected={chosen}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="item"
              data-severity={finding.severity}
              data-active={finding.fingerprint === active}
              data-decided={decision !== "open"}
              data-chosen={chosen}
              style={{ transform: `translateY(${start}px)` }}
              onClick={(event) => {
                if (event.shiftKey || event.ctrlKey || event.metaKey) onToggle(finding.fingerprint)
                else onOpen(finding)
              }}
            >
              <Item finding={finding} decision={decision} chosen={chosen} />
            </div>
          )
        })}
      </div>
    </div>
  )
}
