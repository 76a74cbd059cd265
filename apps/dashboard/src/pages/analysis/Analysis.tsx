import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { call, Failure } from "../../api/client.ts"
import { analyses, result, status as statusOf } from "../../api/queries.ts"
import { useTitle } from "../../shell/useTitle.ts"
import { branchName, repositoryName } from "../../ui/format.ts"
import { Failed, Loading, Shown } from "../../ui/State.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { Live, stages } from "./Live.tsx"
import { Report } from "./Report.tsx"
import { useRemoval } from "./useRemoval.tsx"

/** What is known about an analysis without a result: the list contains its repository. */
const Heading = ({ id, children }: { readonly id: string; readonly children: React.ReactNode }) => {
  const { data } = useQuery(analyses({ limit: 100 }))
  const item = data?.items.find(({ analysisId }) => analysisId === id)
  const title = item === undefined ? "Analysis" : repositoryName(item.repositoryUrl)
  useTitle(title)
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {item !== undefined && <p className="muted break">{branchName(item.branch)}</p>}
      </div>
      <div className="actions">{children}</div>
    </div>
  )
}

const Deletable = ({ id, onDelete }: { readonly id: string; readonly onDelete: () => void }) => (
  <Heading id={id}>
    <button type="button" className="button danger" onClick={onDelete}>
      Delete
    </button>
  </Heading>
)

const Broken = ({ id }: { readonly id: string }) => {
  const client = useQueryClient()
  // The response of the result endpoint says why it failed.
  const query = useQuery({ ...result(id), retry: false })
  const retry = useMutation({
    mutationFn: () => call("analysis.retry", { params: { id } }),
    onSuccess: () => {
      client.removeQueries({ queryKey: result(id).queryKey })
      return client.invalidateQueries({ queryKey: statusOf(id).queryKey })
    },
  })
  const removal = useRemoval(id)
  const details = query.error instanceof Failure ? query.error.details : {}
  const stage = stages.find(([name]) => name === details["stage"])
  return (
    <div className="page">
      <Deletable id={id} onDelete={removal.ask} />
      <div className="state" role="alert">
        <h2>The analysis failed</h2>
        {stage !== undefined && <p className="muted">{stage[1]}</p>}
        <p className="break">{query.error?.message ?? "Loading the reason…"}</p>
        <p className="actions">
          <button type="button" className="button primary" disabled={retry.isPending} onClick={() => retry.mutate()}>
            Try again
          </button>
          <span className="muted">Uses one scan.</span>
        </p>
      </div>
      {retry.error !== null && <Failed error={retry.error} />}
      <Deliveries id={id} />
      {removal.dialog}
    </div>
  )
}

const Running = ({ id, children }: { readonly id: string; readonly children: React.ReactNode }) => {
  const removal = useRemoval(id)
  return (
    <div className="page">
      <Deletable id={id} onDelete={removal.ask} />
      {children}
      {removal.dialog}
    </div>
  )
}

const Completed = ({ id }: { readonly id: string }) => {
  const query = useQuery(result(id))
  if (query.data !== undefined) return <Report result={query.data} />
  return (
    <div className="page">
      <h1>Analysis</h1>
      {query.error === null ? (
        <Loading lines={14} label="Loading the report" />
      ) : (
        <Failed error={query.error} retry={() => void query.refetch()} />
      )}
    </div>
  )
}

export const Analysis = () => {
  const { id } = useParams({ from: "/analyses/$id" })
  const client = useQueryClient()
  // A report that was read before opens at once: completed results never change.
  const known = client.getQueryData(result(id).queryKey)
  const query = useQuery({ ...statusOf(id), enabled: known === undefined })
  if (known !== undefined) return <Report key={id} result={known} />
  const { data } = query
  if (data?.status === "completed") return <Completed key={id} id={id} />
  if (data?.status === "failed") return <Broken key={id} id={id} />
  if (data !== undefined) {
    return (
      <Running key={id} id={id}>
        <Live status={data} />
      </Running>
    )
  }
  return (
    <div className="page">
      <h1>Analysis</h1>
      <Shown query={query} lines={14}>
        {() => undefined}
      </Shown>
      {query.error !== null && (
        <p>
          <Link to="/analyses">All analyses</Link>
        </p>
      )}
    </div>
  )
}
