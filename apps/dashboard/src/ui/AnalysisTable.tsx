import { Link } from "@tanstack/react-router"
import type { Output } from "../api/contract.ts"
import { branchName, frameworkName, repositoryName, words } from "./format.ts"
import { countsOf, SeverityCounts } from "./Severity.tsx"
import { Time } from "./Time.tsx"

/** A scan, or an item of the list, which has neither a summary nor a commit. */
type Item = Output<"analysis.list">[number] &
  Partial<Pick<Output<"repositories.one">["scans"][number], "summary" | "commit">>

interface Props {
  readonly items: ReadonlyArray<Item>
  readonly withoutRepository?: boolean
}

/** Analyses with their state and, if known, their findings. */
export const AnalysisTable = ({ items, withoutRepository = false }: Props) => {
  const withSummary = items.some(({ summary }) => summary !== undefined)
  return (
    <div className="table-wrap">
      <table>
        <thead>
          <tr>
            <th scope="col">{withoutRepository ? "Analysis" : "Repository"}</th>
            <th scope="col">Branch</th>
            <th scope="col">Framework</th>
            <th scope="col">Status</th>
            {withSummary && <th scope="col">Findings</th>}
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ analysisId, repositoryUrl, branch, framework, status, createdAt, summary, commit }) => (
            <tr key={analysisId}>
              <th scope="row" className="break">
                <Link to="/analyses/$id" params={{ id: analysisId }}>
                  {withoutRepository ? (commit?.slice(0, 7) ?? analysisId.slice(0, 8)) : repositoryName(repositoryUrl)}
                </Link>
              </th>
              <td className="break">{branchName(branch)}</td>
              <td className="nowrap">{frameworkName[framework]}</td>
              <td className="nowrap">{words(status)}</td>
              {withSummary && (
                <td>
                  {summary === undefined ? (
                    <span className="muted">–</span>
                  ) : (
                    <SeverityCounts counts={countsOf(summary)} />
                  )}
                </td>
              )}
              <td className="nowrap">
                <Time at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
