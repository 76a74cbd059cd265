import { Link } from "@tanstack/react-router"
import { useState } from "react"
import type { AnalysisResult } from "../../../../../domain/analysis/Analysis.ts"
import { duration, frameworkName, repositoryName } from "../../ui/format.ts"
import { Menu } from "../../ui/Menu.tsx"
import { Time } from "../../ui/Time.tsx"
import { ExportMenu } from "./ExportMenu.tsx"
import { type View, views } from "./Panel.tsx"

interface Props {
  readonly result: AnalysisResult
  readonly exporting: boolean
  readonly onExporting: (exporting: boolean) => void
  readonly onView: (view: View) => void
  readonly onDelete: () => void
}

/** What was analyzed, and the actions on the report as a whole. */
export const ReportHead = ({ result, exporting, onExporting, onView, onDelete }: Props) => {
  const { analysisId: id, repository, summary } = result
  const [more, setMore] = useState(false)
  return (
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
        <ExportMenu id={id} open={exporting} onOpenChange={onExporting} />
        <Menu
          label="More"
          open={more}
          onOpenChange={setMore}
          items={[
            ...views.map(({ name, label }) => ({ label, onSelect: () => onView(name) })),
            { label: "Delete…", onSelect: onDelete },
          ]}
        />
        <Link
          to="/analyses/new"
          search={{
            url: repository.url,
            branch: repository.branch === "HEAD" ? "" : repository.branch,
            path: repository.path ?? "",
          }}
          className="button"
        >
          Run again
        </Link>
      </div>
    </div>
  )
}
