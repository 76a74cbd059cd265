import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import { call, request } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { decided } from "../../api/queries.ts"
import { decisionLabel } from "../../ui/Decision.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { counted } from "../../ui/format.ts"
import { Failed } from "../../ui/State.tsx"
import { say } from "../../ui/toasts.tsx"

type Items = Output<"analysisFindings.list">

/** As the service takes them. */
const mostAtOnce = 200
/** Of 500 findings each: a report of more is narrowed down by hand. */
const mostPages = 20

/** The tags of the findings as they stand now, which deciding takes. */
const tagsOf = async (id: string, wanted: ReadonlySet<string>) => {
  const found: Array<{ readonly fingerprint: string; readonly etag: string }> = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages && found.length < wanted.size; page++) {
    const response = await request("analysisFindings.list", {
      params: { id },
      query: { analysis: id, limit: 500, ...(cursor === undefined ? {} : { cursor }) },
    })
    const items = (await response.json()) as Items // as the contract says
    for (const { fingerprint, etag } of items) if (wanted.has(fingerprint)) found.push({ fingerprint, etag })
    const [, link] = /^<([^>]*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? []
    cursor = link === undefined ? undefined : (new URL(link, location.origin).searchParams.get("cursor") ?? undefined)
    if (cursor === undefined) break
  }
  return found
}

interface Props {
  readonly id: string
  readonly selected: ReadonlySet<string>
  readonly onDone: () => void
}

/** One decision for all that are selected. */
export const SelectionBar = ({ id, selected, onDone }: Props) => {
  const [kind, setKind] = useState<DecisionKind>()
  const [reason, setReason] = useState("")
  const client = useQueryClient()
  const decide = useMutation({
    mutationFn: async (decision: DecisionKind) =>
      call("analysisFindings.decideSeveral", {
        params: { id },
        payload: { decision, reason: reason.trim(), findings: await tagsOf(id, selected) },
      }),
    onSuccess: async (items) => {
      await client.invalidateQueries({ queryKey: decided(id).queryKey })
      say(`${counted(items.length, "finding")} decided.`)
      setKind(undefined)
      setReason("")
      onDone()
    },
  })
  return (
    <div className="bulk" role="group" aria-label="Selected findings">
      <span role="status">{counted(selected.size, "finding")} selected</span>
      {selected.size > mostAtOnce ? (
        <span>At most {mostAtOnce} at once.</span>
      ) : (
        (["false_positive", "accepted_risk", "fixed"] as const).map((one) => (
          <button key={one} type="button" className="button" onClick={() => setKind(one)}>
            {decisionLabel[one]}…
          </button>
        ))
      )}
      <button type="button" className="button quiet" onClick={onDone}>
        Clear
      </button>
      <Dialog
        open={kind !== undefined}
        title={kind === undefined ? "" : `${decisionLabel[kind]}: ${counted(selected.size, "finding")}`}
        onClose={() => setKind(undefined)}
      >
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault()
            if (kind !== undefined && reason.trim() !== "") decide.mutate(kind)
          }}
        >
          <div className="field">
            <label htmlFor="bulk-reason">Reason</label>
            <textarea
              id="bulk-reason"
              className="input"
              maxLength={2_000}
              required
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </div>
          {decide.error !== null && <Failed error={decide.error} />}
          <div className="actions">
            <button type="submit" className="button primary" disabled={reason.trim() === "" || decide.isPending}>
              Save
            </button>
            <button type="button" className="button" onClick={() => setKind(undefined)}>
              Cancel
            </button>
          </div>
        </form>
      </Dialog>
    </div>
  )
}
