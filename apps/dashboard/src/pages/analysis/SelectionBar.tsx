import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { DecisionKind } from "../../../../../domain/finding/Decision.ts"
import { call, Failure } from "../../api/client.ts"
import type { Output } from "../../api/contract.ts"
import { analysisFindings, decided, showsDecisions } from "../../api/queries.ts"
import { decisionLabel, decisionVerbs, Reason, SaveOrCancel, Until } from "../../ui/Decision.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { counted } from "../../ui/format.ts"
import { Failed } from "../../ui/State.tsx"
import { say } from "../../ui/toasts.tsx"

type Items = Output<"analysisFindings.list">

/** In the form that the service accepts. */
const mostAtOnce = 200

/** The current entity tags of the findings, which a decision requires. */
const tagsOf = async (id: string, wanted: ReadonlySet<string>) => {
  const among = (items: Items) => items.filter(({ fingerprint }) => wanted.has(fingerprint))
  const items = await analysisFindings(id, undefined, (found) => among(found).length === wanted.size)
  return among(items).map(({ fingerprint, etag }) => ({ fingerprint, etag }))
}

interface Props {
  readonly id: string
  readonly selected: ReadonlySet<string>
  /** The bulk decision in progress. */
  readonly intent: DecisionKind | undefined
  readonly onIntent: (intent: DecisionKind | undefined) => void
  readonly onDone: () => void
}

interface Typed {
  readonly decision: DecisionKind
  readonly reason: string
  readonly expiresAt: string
}

/** Makes a decision about all selected findings, all or none, and offers to undo it. */
const useDecideSeveral = ({ id, selected, onIntent, onDone }: Props) => {
  const client = useQueryClient()
  const show = async () => {
    void client.invalidateQueries({ predicate: showsDecisions, refetchType: "none" })
    await client.invalidateQueries({ queryKey: decided(id).queryKey })
  }
  const takeBack = async (items: Items) => {
    const findings = items.map(({ fingerprint, etag }) => ({ fingerprint, etag }))
    try {
      await call("analysisFindings.decideSeveral", { params: { id }, payload: { decision: "open", findings } })
      await show()
      say(items.length === 1 ? "The decision was withdrawn." : "The decisions were withdrawn.")
    } catch (error) {
      say(
        error instanceof Failure && error.status === 412
          ? "Someone else has changed one of these decisions in the meantime; nothing was withdrawn."
          : String(error),
      )
    }
  }
  return useMutation({
    mutationFn: async ({ decision, reason, expiresAt }: Typed) => {
      const findings = await tagsOf(id, selected)
      if (findings.length < selected.size)
        throw new Error("Some of these findings can no longer be triaged. Clear the selection and choose again.")
      return call("analysisFindings.decideSeveral", {
        params: { id },
        payload: { decision, reason: reason.trim(), findings, ...(expiresAt === "" ? {} : { expiresAt }) },
      })
    },
    onSuccess: async (items) => {
      await show()
      say(`${counted(items.length, "finding")} decided.`, { label: "Undo", run: () => void takeBack(items) })
      onIntent(undefined)
      onDone()
    },
  })
}

interface FormProps extends Props {
  readonly intent: DecisionKind
  readonly reason: string
  readonly setReason: (reason: string) => void
}

/** The reason for one decision about several. */
const Form = (props: FormProps) => {
  const { intent, onIntent, reason, setReason } = props
  const [expiresAt, setExpiresAt] = useState("")
  const decide = useDecideSeveral(props)
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== "" && !decide.isPending) decide.mutate({ decision: intent, reason, expiresAt })
      }}
    >
      <Reason id="bulk-reason" value={reason} onChange={setReason} />
      {intent === "accepted_risk" && <Until id="bulk-expires" value={expiresAt} onChange={setExpiresAt} />}
      {decide.error !== null && <Failed error={decide.error} />}
      <SaveOrCancel disabled={reason.trim() === "" || decide.isPending} onCancel={() => onIntent(undefined)} />
    </form>
  )
}

/** One decision for all that are selected. */
export const SelectionBar = (props: Props) => {
  const { selected, intent, onIntent, onDone } = props
  // The typed text stays while the dialog is closed.
  const [reason, setReason] = useState("")
  return (
    <div className="bulk" role="group" aria-label="Selected findings">
      <span role="status">{counted(selected.size, "finding")} selected</span>
      {selected.size > mostAtOnce ? (
        <span>At most {mostAtOnce} at once.</span>
      ) : (
        decisionVerbs.map(([kind, verb, key]) => (
          <button key={kind} type="button" className="button" onClick={() => onIntent(kind)}>
            {verb} {key !== undefined && <kbd>{key}</kbd>}
          </button>
        ))
      )}
      <button type="button" className="button quiet" onClick={onDone}>
        Clear
      </button>
      <Dialog
        open={intent !== undefined && selected.size <= mostAtOnce}
        title={intent === undefined ? "" : `${decisionLabel[intent]}: ${counted(selected.size, "finding")}`}
        onClose={() => onIntent(undefined)}
      >
        {intent !== undefined && <Form key={intent} {...props} {...{ intent, reason, setReason }} />}
      </Dialog>
    </div>
  )
}
