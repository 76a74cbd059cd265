import type { DecisionKind } from "../../../../domain/finding/Decision.ts"

export const decisions: ReadonlyArray<DecisionKind> = ["open", "false_positive", "accepted_risk", "fixed"]

export const decisionLabel: Readonly<Record<DecisionKind, string>> = {
  open: "Open",
  false_positive: "False positive",
  accepted_risk: "Risk accepted",
  fixed: "Fixed",
}

/** The label of a button that makes a decision, and the key that does the same. */
export const decisionVerbs: ReadonlyArray<readonly [kind: DecisionKind, verb: string, key: string | undefined]> = [
  ["false_positive", "False positive…", "f"],
  ["accepted_risk", "Accept risk…", "a"],
  ["fixed", "Mark fixed…", undefined],
]

interface UntilProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The day on which an accepted risk reopens. */
export const Until = ({ id, value, onChange }: UntilProps) => (
  <div className="field">
    <label htmlFor={id}>Until</label>
    <input
      id={id}
      type="date"
      className="input"
      value={value}
      aria-describedby={`${id}-hint`}
      onChange={(event) => onChange(event.target.value)}
    />
    <p id={`${id}-hint`} className="hint">
      It reopens on that day; without a date, the risk stays accepted.
    </p>
  </div>
)

interface ReasonProps {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onEscape?: () => void
  readonly field?: React.RefObject<HTMLTextAreaElement | null>
}

/** The reason for a decision; Ctrl or Command with Enter submits its form. */
export const Reason = ({ id, value, onChange, onEscape, field }: ReasonProps) => (
  <div className="field">
    <label htmlFor={id}>Reason</label>
    <textarea
      id={id}
      ref={field}
      className="input"
      maxLength={2_000}
      required
      value={value}
      placeholder="What a colleague would need to know to agree"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onEscape?.()
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
      }}
    />
  </div>
)

interface SaveOrCancelProps {
  readonly disabled: boolean
  readonly onCancel: () => void
}

/** The end of a decision form; `Reason` submits with the keys shown on the button. */
export const SaveOrCancel = ({ disabled, onCancel }: SaveOrCancelProps) => (
  <div className="actions">
    <button type="submit" className="button primary" disabled={disabled}>
      Save <kbd>Ctrl Enter</kbd>
    </button>
    <button type="button" className="button" onClick={onCancel}>
      Cancel
    </button>
  </div>
)
