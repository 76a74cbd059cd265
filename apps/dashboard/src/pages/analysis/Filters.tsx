import { useMemo } from "react"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { listOf, type Search } from "../../search.ts"
import { Choice } from "../../ui/Choice.tsx"
import { decisionLabel, decisions } from "../../ui/Decision.tsx"
import { count, words } from "../../ui/format.ts"
import { confidences, orders } from "./rows.ts"

interface Props {
  readonly findings: ReadonlyArray<Finding>
  readonly search: Search
  readonly change: (change: Readonly<Record<string, string | undefined>>) => void
  readonly shown: number
  readonly onEnter: () => void
}

/** Maximum number of options in a select; for more, there is the search. */
const mostFiles = 300

const all = ["severity", "status", "decision", "confidence", "category", "file", "rule", "q"] as const

interface QueryProps {
  readonly value: string | undefined
  readonly onChange: (value: string) => void
  readonly onEnter: () => void
}

/** Enter moves to the first finding, Escape to the list. */
const Query = ({ value = "", onChange, onEnter }: QueryProps) => (
  <div className="wide">
    <label className="visually-hidden" htmlFor="filter">
      Search findings
    </label>
    <input
      id="filter"
      type="search"
      className="input"
      placeholder="Search title, rule or file ( / )"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return
        event.preventDefault()
        event.currentTarget.blur()
        if (event.key === "Enter") onEnter()
      }}
    />
  </div>
)

export const Filters = ({ findings, search, change, shown, onEnter }: Props) => {
  const files = useMemo(() => [...new Set(findings.map(({ location }) => location.file))].toSorted(), [findings])
  const categories = useMemo(() => [...new Set(findings.map(({ category }) => category))].toSorted(), [findings])
  const filtered = all.some((name) => search[name] !== undefined)
  const narrow = (part: Readonly<Record<string, string | undefined>>) => change({ ...part, finding: undefined })
  return (
    <div className="filters">
      <Query value={search["q"]} onChange={(value) => narrow({ q: value })} onEnter={onEnter} />
      <Choice
        compact
        label="Confidence"
        value={listOf(search["confidence"], confidences)[0]}
        options={confidences.map((one) => [one, words(one)])}
        onChange={(value) => narrow({ confidence: value })}
      />
      <Choice
        compact
        label="Category"
        value={search["category"]}
        options={categories.map((one) => [one, words(one)])}
        onChange={(value) => narrow({ category: value })}
      />
      <Choice
        compact
        label="File"
        value={search["file"]}
        options={files.slice(0, mostFiles).map((one) => [one, one])}
        onChange={(value) => narrow({ file: value })}
      />
      <Choice
        compact
        label="Decision"
        value={listOf(search["decision"], decisions)[0]}
        options={decisions.map((one) => [one, decisionLabel[one]])}
        onChange={(value) => narrow({ decision: value })}
      />
      <Choice
        compact
        any=""
        label="Order"
        value={search["order"] === "file" ? "file" : "severity"}
        options={orders.map((one) => [one, `By ${one}`])}
        onChange={(value) => change({ order: value === "severity" ? undefined : value })}
      />
      <div className="count">
        <span className="muted number" role="status">
          {shown === findings.length ? `${count(shown)} shown` : `${count(shown)} of ${count(findings.length)} shown`}
        </span>
        {filtered && (
          <button
            type="button"
            className="link"
            onClick={() => change(Object.fromEntries([...all, "finding"].map((name) => [name, undefined])))}
          >
            Clear filters
          </button>
        )}
      </div>
    </div>
  )
}
