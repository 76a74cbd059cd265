import { Dialog as Base } from "@base-ui/react/dialog"

interface Props {
  readonly open: boolean
  readonly title: string
  readonly onClose?: () => void
  readonly children: React.ReactNode
}

/** A modal dialog; one without `onClose` stays until its question is answered. */
export const Dialog = ({ open, title, onClose, children }: Props) => (
  <Base.Root
    open={open}
    onOpenChange={(next) => {
      if (!next) onClose?.()
    }}
  >
    <Base.Portal>
      <Base.Backdrop className="dialog-backdrop" />
      <Base.Popup className="dialog">
        <Base.Title>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)

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
