import { Failed } from "./State.tsx"

interface Props {
  readonly submit: string
  /** The button's label. */
  readonly sending?: string
  readonly sent: { readonly isPending: boolean; readonly error: Error | null }
  /** Whether the form is complete enough to submit. */
  readonly ready: boolean
  readonly onSubmit: () => void
  /** Secondary content of the page. */
  readonly secondary?: boolean
  /** Beside the button. */
  readonly note?: React.ReactNode
  readonly children: React.ReactNode
}

/** Fields, the error from submitting them, and the submit button. */
export const Form = ({ submit, sending = submit, sent, ready, onSubmit, secondary = false, note, children }: Props) => (
  <form
    className="form"
    onSubmit={(event) => {
      event.preventDefault()
      if (ready && !sent.isPending) onSubmit()
    }}
  >
    {children}
    {sent.error !== null && <Failed error={sent.error} />}
    <div className="actions">
      <button type="submit" className={secondary ? "button" : "button primary"} disabled={sent.isPending || !ready}>
        {sent.isPending ? sending : submit}
      </button>
      {note}
    </div>
  </form>
)
