import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useDeferredValue } from "react"
import { rules } from "../api/queries.ts"
import { listOf } from "../search.ts"
import { useKeys } from "../shell/keys.ts"
import { useSearch } from "../shell/useSearch.ts"
import { rulePage } from "../ui/rulePage.ts"
import { useTitle } from "../shell/useTitle.ts"
import { Choice } from "../ui/Choice.tsx"
import { count, counted, frameworkName, words } from "../ui/format.ts"
import { severities, Severity, severityLabel } from "../ui/Severity.tsx"
import { Empty, Shown } from "../ui/State.tsx"

const frameworks = ["evm", "solana", "cosmwasm"] as const

export const Rules = () => {
  useTitle("Rules")
  const query = useQuery(rules)
  const [search, change] = useSearch()
  const [severity] = listOf(search["severity"], severities)
  const [framework] = listOf(search["framework"], frameworks)
  const wanted = useDeferredValue((search["q"] ?? "").toLowerCase())
  useKeys({ "/": () => document.querySelector<HTMLInputElement>("#search")?.focus() })
  return (
    <div className="page">
      <h1>Rules</h1>
      <Shown query={query} lines={12}>
        {(all) => {
          const shown = all.filter(
            (rule) =>
              (severity === undefined || rule.severity === severity) &&
              (framework === undefined || rule.framework === framework) &&
              `${rule.title} ${rule.ruleId} ${rule.description}`.toLowerCase().includes(wanted),
          )
          return (
            <>
              <div className="row">
                <div className="field">
                  <label htmlFor="search">Search</label>
                  <input
                    id="search"
                    type="search"
                    className="input"
                    placeholder="Title, id or description"
                    value={search["q"] ?? ""}
                    onChange={(event) => change({ q: event.target.value })}
                  />
                </div>
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
              <p className="muted" role="status">
                {shown.length === all.length
                  ? counted(all.length, "rule")
                  : `${count(shown.length)} of ${count(all.length)}`}
              </p>
              {shown.length === 0 ? (
                <Empty title="No rule matches">
                  <p className="actions">
                    <button
                      type="button"
                      className="button"
                      onClick={() => change({ q: undefined, severity: undefined, framework: undefined })}
                    >
                      Clear the filters
                    </button>
                  </p>
                </Empty>
              ) : (
                <div className="table-wrap">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">Severity</th>
                        <th scope="col">Rule</th>
                        <th scope="col">Category</th>
                        <th scope="col">Framework</th>
                      </tr>
                    </thead>
                    <tbody>
                      {shown.map((rule) => (
                        <tr key={rule.ruleId}>
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
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </>
          )
        }}
      </Shown>
    </div>
  )
}
