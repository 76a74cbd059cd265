import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { analyses } from "../api/queries.ts"
import { listOf } from "../search.ts"
import { useSearch } from "../shell/useSearch.ts"
import { useTitle } from "../shell/useTitle.ts"
import { AnalysisTable } from "../ui/AnalysisTable.tsx"
import { Choice } from "../ui/Choice.tsx"
import { frameworkName, words } from "../ui/format.ts"
import { Empty, Shown } from "../ui/State.tsx"

const statuses = ["pending", "running", "completed", "failed"] as const
const frameworks = ["evm", "solana", "cosmwasm", "auto"] as const

/** With filters, nothing matches them; without, nothing was analyzed. */
const Nothing = ({ filtered, clear }: { readonly filtered: boolean; readonly clear: () => void }) => (
  <Empty title={filtered ? "No matching analyses" : "No analyses yet"}>
    <p className="actions">
      {filtered ? (
        <button type="button" className="button" onClick={clear}>
          Clear filters
        </button>
      ) : (
        <Link to="/analyses/new" className="button primary">
          Analyze a repository
        </Link>
      )}
    </p>
  </Empty>
)

interface TurnProps {
  readonly cursor: string | undefined
  readonly next: string | undefined
  readonly onTurn: (cursor: string | undefined) => void
}

/** Links to the first page and the next one. */
const Turn = ({ cursor, next, onTurn }: TurnProps) => (
  <div className="actions">
    {cursor !== undefined && (
      <button type="button" className="button" onClick={() => onTurn(undefined)}>
        Newest
      </button>
    )}
    {next !== undefined && (
      <button type="button" className="button" onClick={() => onTurn(next)}>
        Older
      </button>
    )}
  </div>
)

export const Analyses = () => {
  useTitle("Analyses")
  const [search, change] = useSearch()
  const { cursor } = search
  const [status] = listOf(search["status"], statuses)
  const [framework] = listOf(search["framework"], frameworks)
  const query = useQuery(
    analyses({
      limit: 50,
      ...(status === undefined ? {} : { status }),
      ...(framework === undefined ? {} : { framework }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  )
  const clear = () => change({ status: undefined, framework: undefined, cursor: undefined })
  const filtered = status !== undefined || framework !== undefined || cursor !== undefined
  return (
    <div className="page">
      <div className="page-head">
        <h1>Analyses</h1>
        <Link to="/analyses/new" className="button primary">
          New analysis
        </Link>
      </div>
      <div className="row">
        <Choice
          label="Status"
          value={status}
          options={statuses.map((one) => [one, words(one)])}
          onChange={(value) => change({ status: value, cursor: undefined })}
        />
        <Choice
          label="Framework"
          value={framework}
          options={frameworks.map((one) => [one, frameworkName[one]!])}
          onChange={(value) => change({ framework: value, cursor: undefined })}
        />
      </div>
      <Shown query={query} lines={10}>
        {({ items, next }) =>
          items.length === 0 ? (
            <Nothing filtered={filtered} clear={clear} />
          ) : (
            <>
              <AnalysisTable items={items} />
              <Turn cursor={cursor} next={next} onTurn={(to) => change({ cursor: to }, { push: true })} />
            </>
          )
        }
      </Shown>
    </div>
  )
}
