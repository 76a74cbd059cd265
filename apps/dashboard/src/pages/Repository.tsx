import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { Output } from "../api/contract.ts"
import { openFindings, repository } from "../api/queries.ts"
import { listOf } from "../search.ts"
import { useSearch } from "../shell/useSearch.ts"
import { useTitle } from "../shell/useTitle.ts"
import { AnalysisTable } from "../ui/AnalysisTable.tsx"
import { Away } from "../ui/Away.tsx"
import { Choice } from "../ui/Choice.tsx"
import { decisionLabel, decisions } from "../ui/Decision.tsx"
import { Fact, Facts } from "../ui/Facts.tsx"
import { exactDay } from "../ui/format.ts"
import { countsOf, severities, Severity, severityLabel } from "../ui/Severity.tsx"
import { Empty, Failed, Shown } from "../ui/State.tsx"
import { Table } from "../ui/Table.tsx"
import { Time } from "../ui/Time.tsx"
import { Trend } from "../ui/Trend.tsx"

type Detail = Output<"repositories.one">

/** The latest completed analysis of each of the last twelve days that had one. */
const trendOf = (scans: Detail["scans"]) => {
  const byDay = new Map<string, Detail["scans"][number]>()
  for (const scan of scans) if (scan.summary !== undefined) byDay.set(scan.createdAt.slice(0, 10), scan)
  return [...byDay.values()].slice(-12).map((scan) => ({ ...countsOf(scan.summary!), weekEnd: scan.createdAt }))
}

const FindingRow = ({ item }: { readonly item: Output<"findings.list">[number] }) => (
  <tr>
    <td>
      <Severity severity={item.severity} />
    </td>
    <th scope="row" className="break">
      <Link to="/analyses/$id" params={{ id: item.analysisId }} search={{ finding: item.fingerprint }}>
        {item.title}
      </Link>
      <div className="muted mono break">
        {item.location.file}:{item.location.lineStart}
      </div>
    </th>
    <td className="break">{item.branches.join(", ")}</td>
    <td className="nowrap">{decisionLabel[item.decision.decision]}</td>
  </tr>
)

const Findings = ({ id }: { readonly id: string }) => {
  const [search, change] = useSearch()
  const [severity] = listOf(search["severity"], severities)
  const [decision] = listOf(search["decision"] ?? "open", decisions)
  const query = useInfiniteQuery(
    openFindings(id, {
      limit: 100,
      ...(severity === undefined ? {} : { severity }),
      ...(search["decision"] === "any" || decision === undefined ? {} : { decision }),
    }),
  )
  return (
    <section className="section" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <div className="row">
        <Choice
          label="Severity"
          value={severity}
          options={severities.map((one) => [one, severityLabel[one]])}
          onChange={(value) => change({ severity: value })}
        />
        <Choice
          label="Decision"
          any=""
          value={search["decision"] === "any" ? "any" : decision}
          options={[["any", "Any"], ...decisions.map((one) => [one, decisionLabel[one]] as const)]}
          onChange={(value) => change({ decision: value === "open" ? undefined : value })}
        />
      </div>
      <Shown query={query}>
        {({ pages }) =>
          pages[0]!.items.length === 0 ? (
            <Empty title="No matching findings">
              <p>Each analysis lists what was and was not analyzed.</p>
            </Empty>
          ) : (
            <>
              <Table columns={["Severity", "Finding", "Branches", "Decision"]}>
                {pages.flatMap(({ items }) => items.map((item) => <FindingRow key={item.fingerprint} item={item} />))}
              </Table>
              {query.isFetchNextPageError && <Failed error={query.error} retry={() => void query.fetchNextPage()} />}
              {query.hasNextPage && (
                <button
                  type="button"
                  className="button"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  Show more
                </button>
              )}
            </>
          )
        }
      </Shown>
    </section>
  )
}

const Found = ({ detail }: { readonly detail: Detail }) => {
  const trend = trendOf(detail.scans)
  return (
    <>
      <Facts>
        <Fact name="Address">
          <Away href={detail.url}>{detail.url}</Away>
        </Fact>
        <Fact name="Language">{detail.language === "" ? "Not detected" : detail.language}</Fact>
        <Fact name="Default branch">{detail.defaultBranch}</Fact>
        <Fact name="Last synced">
          <Time at={detail.lastSyncedAt} />
        </Fact>
      </Facts>
      {detail.vanishedAt !== undefined && (
        <p className="notice">
          No longer on the code hosting service since {exactDay(detail.vanishedAt)}. Its analyses are kept.
        </p>
      )}
      {detail.scans.length > 0 && <Findings id={detail.id} />}
      {trend.length > 1 && (
        <section className="section" aria-labelledby="trend">
          <h2 id="trend">Findings by analysis</h2>
          <Trend weeks={trend} by="Analysis of" />
        </section>
      )}
      <section className="section" aria-labelledby="history">
        <h2 id="history">Scan history</h2>
        {detail.scans.length === 0 ? (
          <Empty title="Not analyzed yet">
            <p>The first analysis shows all findings; later ones show what is new.</p>
          </Empty>
        ) : (
          <AnalysisTable items={detail.scans} withoutRepository />
        )}
      </section>
    </>
  )
}

export const Repository = () => {
  const { id } = useParams({ from: "/repositories/$id" })
  const query = useQuery(repository(id))
  useTitle(query.data?.fullName ?? "Repository")
  return (
    <div className="page">
      <div className="page-head">
        <h1>{query.data?.fullName ?? "Repository"}</h1>
        {query.data !== undefined && (
          <Link to="/analyses/new" search={{ url: query.data.url }} className="button primary">
            Start an analysis
          </Link>
        )}
      </div>
      <Shown query={query} lines={10}>
        {(detail) => <Found detail={detail} />}
      </Shown>
    </div>
  )
}
