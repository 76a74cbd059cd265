import { Menu as Base } from "@base-ui/react/menu"

export interface MenuItem {
  readonly label: string
  readonly note?: string
  readonly disabled?: boolean
  readonly onSelect: () => void
}

interface Props {
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export const Menu = ({ label, items, open, onOpenChange }: Props) => (
  <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} modal={false}>
    <Base.Trigger className="button">
      {label} <span aria-hidden="true">▾</span>
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner sideOffset={4} align="end" style={{ zIndex: 30 }}>
        <Base.Popup className="menu">
          {items.map(({ label, note, disabled, onSelect }) => (
            <Base.Item key={label} className="menu-item" disabled={disabled ?? false} onClick={onSelect}>
              {label}
              {note !== undefined && <small>{note}</small>}
            </Base.Item>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)
