import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { overview } from "../api/queries.ts"
import { useTitle } from "../shell/useTitle.ts"
import { AnalysisTable } from "../ui/AnalysisTable.tsx"
import { counted, exactDay } from "../ui/format.ts"
import { Quota } from "../ui/Quota.tsx"
import { SeverityFigures } from "../ui/SeverityFigures.tsx"
import { Empty, Shown } from "../ui/State.tsx"
import { Trend } from "../ui/Trend.tsx"

const Start = () => (
  <Empty title="No analyses yet">
    <p>Start with a repository. All you need is its URL.</p>
    <p className="actions">
      <Link to="/analyses/new" className="button primary">
        Analyze a repository
      </Link>
      <Link to="/repositories" className="button">
        Sync your repositories
      </Link>
    </p>
  </Empty>
)

export const Overview = () => {
  useTitle("Overview")
  const query = useQuery(overview)
  return (
    <div className="page">
      <div className="page-head">
        <h1>Overview</h1>
        <Link to="/analyses/new" className="button primary">
          New analysis
        </Link>
      </div>
      <Shown query={query} lines={12}>
        {({ openFindings, newFindings, since, trend, recentAnalyses, quota }) =>
          recentAnalyses.length === 0 ? (
            <Start />
          ) : (
            <>
              <section className="section" aria-labelledby="open">
                <h2 id="open">Open findings</h2>
                <SeverityFigures counts={openFindings} fresh={newFindings} />
                <p className="muted">
                  In the latest analyses of all repositories and branches; new since {exactDay(since)}.
                </p>
              </section>
              <div className="columns">
                <section className="section" aria-labelledby="trend">
                  <h2 id="trend">Last 12 weeks</h2>
                  <Trend weeks={trend} />
                </section>
                <section className="section" aria-labelledby="quota">
                  <h2 id="quota">Scans this month</h2>
                  <Quota {...quota} />
                  {quota.used >= quota.limit && (
                    <p>
                      All {counted(quota.limit, "scan")} are used. <Link to="/subscription">See your plan</Link>
                    </p>
                  )}
                </section>
              </div>
              <section className="section" aria-labelledby="recent">
                <h2 id="recent">Recent analyses</h2>
                <AnalysisTable items={recentAnalyses} />
              </section>
            </>
          )
        }
      </Shown>
    </div>
  )
}
