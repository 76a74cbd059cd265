import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useDeferredValue } from "react"
import { call } from "../api/client.ts"
import type { Output } from "../api/contract.ts"
import { repositories, statistics } from "../api/queries.ts"
import { listOf } from "../search.ts"
import { useKeys } from "../shell/keys.ts"
import { useSearch } from "../shell/useSearch.ts"
import { useTitle } from "../shell/useTitle.ts"
import { count, counted } from "../ui/format.ts"
import { focusSearch, SearchField, ShownCount } from "../ui/SearchField.tsx"
import { SeverityCounts } from "../ui/Severity.tsx"
import { Empty, Failed, Shown } from "../ui/State.tsx"
import { Time } from "../ui/Time.tsx"

type Standing = Output<"repositories.stats">["repositories"][number]
type Repository = Output<"repositories.list">[number] & { readonly standing: Standing | undefined }

const byName = (a: Repository, b: Repository) => a.fullName.localeCompare(b.fullName, "en")
const sorts = {
  name: byName,
  language: (a: Repository, b: Repository) => a.language.localeCompare(b.language, "en") || byName(a, b),
  synced: (a: Repository, b: Repository) => b.lastSyncedAt.localeCompare(a.lastSyncedAt) || byName(a, b),
  analyzed: (a: Repository, b: Repository) =>
    (b.standing?.completedAt ?? "").localeCompare(a.standing?.completedAt ?? "") || byName(a, b),
  open: (a: Repository, b: Repository) =>
    (b.standing?.openFindings ?? -1) - (a.standing?.openFindings ?? -1) || byName(a, b),
} as const
type Sort = keyof typeof sorts

const Statistics = () => {
  const query = useQuery(statistics)
  if (query.data === undefined) return undefined
  const { totalRepositories, scannedRepositories, scanResults } = query.data
  return (
    <p className="legend">
      <span>
        {counted(totalRepositories, "repository", "repositories")}, {count(scannedRepositories)} analyzed
      </span>
      {scannedRepositories > 0 && <SeverityCounts counts={scanResults} />}
    </p>
  )
}

const Sync = () => {
  const client = useQueryClient()
  const sync = useMutation({
    mutationFn: (kind: "sync" | "quickSync") => call(`repositories.${kind}`, {}),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith("repositories.") }),
  })
  return (
    <div className="section">
      <div className="actions">
        <button type="button" className="button" disabled={sync.isPending} onClick={() => sync.mutate("quickSync")}>
          Sync changes
        </button>
        <button type="button" className="button" disabled={sync.isPending} onClick={() => sync.mutate("sync")}>
          Sync all
        </button>
        <span role="status" className="muted">
          {sync.isPending && "Contacting the code hosting service…"}
          {sync.data !== undefined &&
            !sync.isPending &&
            `${count(sync.data.synced)} read, ${count(sync.data.added)} added, ${count(sync.data.updated)} updated.`}
        </span>
      </div>
      {sync.error !== null && <Failed error={sync.error} />}
    </div>
  )
}

/** Both cells reserve their place until the figures have loaded. */
const Standing = ({ known, standing }: { readonly known: boolean; readonly standing: Standing | undefined }) => {
  if (standing === undefined) {
    return (
      <>
        <td className="nowrap muted">{known ? "None yet" : ""}</td>
        <td className="muted">{known ? "–" : ""}</td>
      </>
    )
  }
  const { analysisId, completedAt, openFindings } = standing
  return (
    <>
      <td className="nowrap">
        <Link to="/analyses/$id" params={{ id: analysisId }}>
          <Time at={completedAt} />
        </Link>
      </td>
      <td className={openFindings === 0 ? "number muted" : "number"}>{count(openFindings)}</td>
    </>
  )
}

const Heading = ({ by, label, sort, onSort }: { by: Sort; label: string; sort: Sort; onSort: (by: Sort) => void }) => (
  <th scope="col" aria-sort={sort === by ? (by === "name" || by === "language" ? "ascending" : "descending") : "none"}>
    <button type="button" onClick={() => onSort(by)}>
      {label}
      <span aria-hidden="true">{sort === by ? " ↓" : ""}</span>
    </button>
  </th>
)

interface RowProps {
  readonly repository: Repository
  /** Whether the findings of the analyses are known. */
  readonly known: boolean
}

const RepositoryRow = ({ repository, known }: RowProps) => (
  <tr>
    <th scope="row" className="break">
      <Link to="/repositories/$id" params={{ id: repository.id }}>
        {repository.fullName}
      </Link>{" "}
      {repository.private && <span className="tag">Private</span>}{" "}
      {repository.archived && <span className="tag">Archived</span>}
    </th>
    <td>{repository.language === "" ? <span className="muted">–</span> : repository.language}</td>
    <td className="break">{repository.defaultBranch}</td>
    <td className="nowrap">
      <Time at={repository.lastSyncedAt} />
    </td>
    <Standing known={known} standing={repository.standing} />
  </tr>
)

/** Maximum number of rendered rows. */
const most = 500

/** The synced repositories that match the search, in the order given in the address. */
const Synced = ({ all }: { readonly all: Output<"repositories.list"> }) => {
  const [search, change] = useSearch()
  const standings = useQuery(statistics)
  const [sort = "name"] = listOf(search["sort"], Object.keys(sorts) as ReadonlyArray<Sort>) // its own keys
  const wanted = useDeferredValue((search["q"] ?? "").toLowerCase())
  const onSort = (by: Sort) => change({ sort: by === "name" ? undefined : by })
  const known = new Map((standings.data?.repositories ?? []).map((one) => [one.id, one]))
  const shown = all
    .map((repository): Repository => ({ ...repository, standing: known.get(repository.id) }))
    .filter(({ fullName, language }) => `${fullName} ${language}`.toLowerCase().includes(wanted))
    .toSorted(sorts[sort])
  return (
    <section className="section" aria-label="Synced repositories">
      <SearchField
        placeholder="Name, owner or language"
        value={search["q"]}
        onChange={(value) => change({ q: value })}
      />
      <ShownCount shown={shown.length} all={all.length} one="repository" many="repositories" />
      <div className="table-wrap">
        <table>
          <thead>
            <tr>
              <Heading by="name" label="Name" sort={sort} onSort={onSort} />
              <Heading by="language" label="Language" sort={sort} onSort={onSort} />
              <th scope="col">Default branch</th>
              <Heading by="synced" label="Last synced" sort={sort} onSort={onSort} />
              <Heading by="analyzed" label="Last analysis" sort={sort} onSort={onSort} />
              <Heading by="open" label="Open findings" sort={sort} onSort={onSort} />
            </tr>
          </thead>
          <tbody>
            {shown.slice(0, most).map((repository) => (
              <RepositoryRow key={repository.id} repository={repository} known={standings.data !== undefined} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length > most && <p className="muted">The first {most} are shown; search to narrow them down.</p>}
    </section>
  )
}

export const Repositories = () => {
  useTitle("Repositories")
  const query = useQuery(repositories)
  useKeys({ "/": focusSearch })
  return (
    <div className="page">
      <div className="page-head">
        <h1>Repositories</h1>
        <Link to="/analyses/new" className="button primary">
          New analysis
        </Link>
      </div>
      <Statistics />
      <Sync />
      <Shown query={query} lines={10}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No repositories synced yet">
              <p>
                A sync reads the names of your repositories from the code hosting service. It needs a{" "}
                <Link to="/settings/$section" params={{ section: "hosting" }}>
                  hosting token
                </Link>
                . An analysis of an address needs no sync.
              </p>
            </Empty>
          ) : (
            <Synced all={all} />
          )
        }
      </Shown>
    </div>
  )
}
