import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useDeferredValue } from "react"
import type { Output } from "../api/contract.ts"
import { rules } from "../api/queries.ts"
import { listOf } from "../search.ts"
import { useKeys } from "../shell/keys.ts"
import { useSearch } from "../shell/useSearch.ts"
import { rulePage } from "../ui/rulePage.ts"
import { useTitle } from "../shell/useTitle.ts"
import { Choice } from "../ui/Choice.tsx"
import { frameworkName, words } from "../ui/format.ts"
import { focusSearch, SearchField, ShownCount } from "../ui/SearchField.tsx"
import { severities, Severity, severityLabel } from "../ui/Severity.tsx"
import { Empty, Shown } from "../ui/State.tsx"
import { Table } from "../ui/Table.tsx"

const frameworks = ["evm", "solana", "cosmwasm"] as const

type Rule = Output<"rules.list">[number]

const RuleRow = ({ rule }: { readonly rule: Rule }) => (
  <tr>
    <td>
      <Severity severity={rule.severity} />
    </td>
    <th scope="row" className="break">
      <Link to="/rules/$framework/$category/$rule" params={rulePage(rule.ruleId)}>
        {rule.title}
      </Link>
      <div className="muted mono break">{rule.ruleId}</div>
    </th>
    <td className="nowrap">{words(rule.category)}</td>
    <td className="nowrap">{frameworkName[rule.framework] ?? rule.framework}</td>
  </tr>
)

/** The rules that match the filters in the address. */
const Found = ({ all }: { readonly all: ReadonlyArray<Rule> }) => {
  const [search, change] = useSearch()
  const [severity] = listOf(search["severity"], severities)
  const [framework] = listOf(search["framework"], frameworks)
  const wanted = useDeferredValue((search["q"] ?? "").toLowerCase())
  const shown = all.filter(
    (rule) =>
      (severity === undefined || rule.severity === severity) &&
      (framework === undefined || rule.framework === framework) &&
      `${rule.title} ${rule.ruleId} ${rule.description}`.toLowerCase().includes(wanted),
  )
  return (
    <>
      <div className="row">
        <SearchField
          placeholder="Title, id or description"
          value={search["q"]}
          onChange={(value) => change({ q: value })}
        />
        <Choice
          label="Severity"
          value={severity}
          options={severities.map((one) => [one, severityLabel[one]])}
          onChange={(value) => change({ severity: value })}
        />
        <Choice
          label="Framework"
          value={framework}
          options={frameworks.map((one) => [one, frameworkName[one]!])}
          onChange={(value) => change({ framework: value })}
        />
      </div>
      <ShownCount shown={shown.length} all={all.length} one="rule" />
      {shown.length === 0 ? (
        <Empty title="No matching rules">
          <p className="actions">
            <button
              type="button"
              className="button"
              onClick={() => change({ q: undefined, severity: undefined, framework: undefined })}
            >
              Clear filters
            </button>
          </p>
        </Empty>
      ) : (
        <Table columns={["Severity", "Rule", "Category", "Framework"]}>
          {shown.map((rule) => (
            <RuleRow key={rule.ruleId} rule={rule} />
          ))}
        </Table>
      )}
    </>
  )
}

export const Rules = () => {
  useTitle("Rules")
  const query = useQuery(rules)
  useKeys({ "/": focusSearch })
  return (
    <div className="page">
      <h1>Rules</h1>
      <Shown query={query} lines={12}>
        {(all) => <Found all={all} />}
      </Shown>
    </div>
  )
}
