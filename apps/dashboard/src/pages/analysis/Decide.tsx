import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import type { Decision, DecisionKind } from "../../../../../domain/finding/Decision.ts"
import type { Finding } from "../../../../../domain/finding/Finding.ts"
import { call, Failure } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { decided, finding as findingOf, showsDecisions } from "../../api/queries.ts"
import { decisionLabel, decisionVerbs, Reason, SaveOrCancel, Until } from "../../ui/Decision.tsx"
import { words } from "../../ui/format.ts"
import { Failed } from "../../ui/State.tsx"
import { Time } from "../../ui/Time.tsx"
import { useNames } from "../../ui/useNames.ts"
import { say } from "../../ui/toasts.tsx"

type Detail = Output<"analysisFindings.one">
type Item = Output<"analysisFindings.list">[number]

interface Props {
  readonly id: string
  readonly finding: Finding
  readonly current: DecisionKind
  readonly intent: DecisionKind | undefined
  readonly onIntent: (intent: DecisionKind | undefined) => void
  readonly onDecided: () => void
}

type FormProps = Props & { readonly intent: DecisionKind }

/** Updates everything that shows decisions from the response to one. */
const useKeep = (id: string) => {
  const client = useQueryClient()
  return (after: Detail) => {
    client.setQueryData(findingOf(id, after.fingerprint).queryKey, after)
    client.setQueryData(decided(id).queryKey, (before: ReadonlyArray<Item> | undefined) => [
      ...(before ?? []).filter(({ fingerprint }) => fingerprint !== after.fingerprint),
      ...(after.decision.decision === "open" ? [] : [after]),
    ])
    void client.invalidateQueries({ predicate: showsDecisions, refetchType: "none" })
  }
}

interface Sent {
  readonly decision: DecisionKind
  readonly reason?: string
  readonly expiresAt?: string
}

/**
 * Makes a decision based on the state identified by `etag`; rejected with 412 if somebody else decided in the meantime.
 */
const send = (id: string, fingerprint: string, payload: Sent, etag: string) =>
  call("analysisFindings.decide", { params: { id, fingerprint }, payload, headers: { "if-match": etag } })

const isConflict = (error: unknown): boolean => error instanceof Failure && error.status === 412

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Where unsent text is kept. */
const draftKey = (fingerprint: string) => `assay.reason.${fingerprint}`

interface Typed {
  readonly reason: string
  readonly expiresAt: string
}

/** Sends a decision and offers to undo it. */
const useDecide = ({ id, finding, intent, onDecided }: FormProps) => {
  const client = useQueryClient()
  const keep = useKeep(id)
  const { fingerprint } = finding
  const query = useQuery(findingOf(id, fingerprint))
  const takeBack = async (detail: Detail) => {
    try {
      keep(await send(id, fingerprint, { decision: "open" }, detail.etag))
      say("The decision was withdrawn.")
    } catch (error) {
      say(isConflict(error) ? "Someone else has made a decision in the meantime, which stands." : String(error))
    }
  }
  const decide = useMutation({
    // Fast typing waits until the state that the decision is based on has loaded.
    mutationFn: async ({ reason, expiresAt }: Typed) => {
      const { etag } = query.data ?? (await client.ensureQueryData(findingOf(id, fingerprint)))
      const payload = { decision: intent, reason: reason.trim(), ...(expiresAt === "" ? {} : { expiresAt }) }
      return send(id, fingerprint, payload, etag)
    },
    onSuccess: (after) => {
      sessionStorage.removeItem(draftKey(fingerprint))
      keep(after)
      say(`${decisionLabel[intent]}: ${finding.title}`, { label: "Undo", run: () => void takeBack(after) })
      onDecided()
    },
    // Somebody else was faster: their decision is loaded, and the typed text stays.
    onError: (error) => isConflict(error) && query.refetch(),
  })
  return { query, decide }
}

/** The decision that somebody else made in the meantime. */
const Meanwhile = ({ decision: others }: { readonly decision: Decision }) => {
  const name = useNames([others.decidedBy])
  return (
    <p role="alert" className="error">
      {others.decidedBy === undefined ? "Somebody" : capitalized(name(others.decidedBy))} decided in the meantime:{" "}
      {decisionLabel[others.decision]}
      {others.reason !== undefined && `, “${others.reason}”`}. Save again to decide otherwise.
    </p>
  )
}

const Form = (props: FormProps) => {
  const { finding, intent, onIntent } = props
  const draft = draftKey(finding.fingerprint)
  const [reason, setReason] = useState(() => sessionStorage.getItem(draft) ?? "")
  const [expiresAt, setExpiresAt] = useState("")
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [intent])
  const { query, decide } = useDecide(props)
  const conflict = isConflict(decide.error)
  const others = query.data?.decision

  return (
    <form
      className="decision"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== "" && !decide.isPending) decide.mutate({ reason, expiresAt })
      }}
    >
      <h3>{decisionLabel[intent]}</h3>
      {conflict && others !== undefined && <Meanwhile decision={others} />}
      <Reason
        id="reason"
        field={field}
        value={reason}
        onChange={(value) => {
          setReason(value)
          sessionStorage.setItem(draft, value)
        }}
        onEscape={() => onIntent(undefined)}
      />
      {intent === "accepted_risk" && <Until id="expires" value={expiresAt} onChange={setExpiresAt} />}
      {decide.error !== null && !conflict && <Failed error={decide.error} />}
      {query.error !== null && <Failed error={query.error} retry={() => void query.refetch()} />}
      <SaveOrCancel disabled={reason.trim() === "" || decide.isPending} onCancel={() => onIntent(undefined)} />
    </form>
  )
}

/** The decisions: what, by whom, when and why. */
const Taken = ({ decision: one, name }: { decision: Decision; name: (userId: string) => string }) => (
  <>
    <p>
      <b>{decisionLabel[one.decision]}</b>
      {one.reopened !== undefined && ` (${words(one.reopened).toLowerCase()})`}
      {one.decidedBy !== undefined && ` by ${name(one.decidedBy)}`}
      {one.decidedAt !== undefined && (
        <>
          , <Time at={one.decidedAt} />
        </>
      )}
      {one.expiresAt !== undefined && (
        <>
          , until <Time at={one.expiresAt} />
        </>
      )}
    </p>
    {one.reason !== undefined && <p className="prose plain">{one.reason}</p>}
  </>
)

const History = ({ id, fingerprint }: { readonly id: string; readonly fingerprint: string }) => {
  const query = useQuery(findingOf(id, fingerprint))
  const name = useNames((query.data?.history ?? []).map(({ decidedBy }) => decidedBy))
  if (query.data === undefined) return <p className="muted">{query.error?.message ?? "Loading…"}</p>
  if (query.data.history.length === 0) return <p className="muted">No decisions yet.</p>
  return (
    <ol className="section">
      {query.data.history.map((one, index) => (
        <li key={index}>
          <Taken decision={one} name={name} />
        </li>
      ))}
    </ol>
  )
}

/** Making a decision in place, with its reason and history. */
export const Decide = (props: Props) => {
  const { id, finding, current, intent, onIntent } = props
  const [history, setHistory] = useState(false)
  const client = useQueryClient()
  const keep = useKeep(id)
  const latest = useQuery(decided(id)).data?.find(({ fingerprint }) => fingerprint === finding.fingerprint)?.decision
  const taken = latest ?? (current === "open" ? undefined : finding.decision)
  const name = useNames([taken?.decidedBy])
  const reopen = useMutation({
    mutationFn: async () => {
      const detail = await client.fetchQuery(findingOf(id, finding.fingerprint))
      return send(id, finding.fingerprint, { decision: "open" }, detail.etag)
    },
    onSuccess: keep,
  })
  return (
    <section className="section" aria-label="Decision">
      {taken !== undefined && !history && (
        <div className="taken">
          <Taken decision={taken} name={name} />
        </div>
      )}
      {intent === undefined ? (
        <div className="actions">
          {current !== "open" && (
            <button type="button" className="button" disabled={reopen.isPending} onClick={() => reopen.mutate()}>
              Reopen
            </button>
          )}
          {decisionVerbs
            .filter(([kind]) => kind !== current)
            .map(([kind, label, key]) => (
              <button key={kind} type="button" className="button" onClick={() => onIntent(kind)}>
                {label} {key !== undefined && <kbd>{key}</kbd>}
              </button>
            ))}
          <button type="button" className="button quiet" aria-expanded={history} onClick={() => setHistory(!history)}>
            History
          </button>
        </div>
      ) : (
        <Form key={intent} {...props} intent={intent} />
      )}
      {reopen.error !== null && <Failed error={reopen.error} />}
      {history && <History id={id} fingerprint={finding.fingerprint} />}
    </section>
  )
}
