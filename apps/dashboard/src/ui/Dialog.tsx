import { useEffect, useId, useRef } from "react"

interface Props {
  readonly open: boolean
  readonly title: string
  readonly onClose?: () => void
  readonly children: React.ReactNode
}

/**
 * The browser's own modal dialog: it keeps the focus, closes on Escape and returns the focus. One without `onClose`
 * stays until its question is answered.
 */
export const Dialog = ({ open, title, onClose, children }: Props) => {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    if (open) element.current?.showModal()
    else element.current?.close()
  }, [open])
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose?.()
      }}
    >
      {open && (
        <div className="dialog-content">
          <h2 id={id}>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  )
}

interface ConfirmProps {
  readonly open: boolean
  readonly title: string
  readonly action: string
  readonly busy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: React.ReactNode
}

export const Confirm = ({ open, title, action, busy, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog open={open} title={title} onClose={onClose}>
    {children}
    <div className="actions">
      <button type="button" className="button danger" disabled={busy} onClick={onConfirm}>
        {action}
      </button>
      <button type="button" className="button" onClick={onClose}>
        Cancel
      </button>
    </div>
  </Dialog>
)
