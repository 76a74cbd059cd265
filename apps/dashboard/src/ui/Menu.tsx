import { useEffect, useId, useRef } from "react"

export interface MenuItem {
  readonly label: string
  readonly note?: string
  readonly onSelect: () => void
}

interface Props {
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** A button that opens further ones below it; arrow keys move between them, and Escape or leaving closes it. */
export const Menu = ({ label, items, open, onOpenChange }: Props) => {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])]
  useEffect(() => {
    if (open) buttons()[0]?.focus()
  }, [open])
  const close = () => {
    onOpenChange(false)
    trigger.current?.focus()
  }
  return (
    <div
      className="menu-anchor"
      onBlur={(event) => {
        if (open && event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget))
          onOpenChange(false)
      }}
      onKeyDown={(event) => {
        if (!open) return
        const all = buttons()
        const now = all.indexOf(document.activeElement as HTMLButtonElement)
        const moves: Readonly<Record<string, number>> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }
        const to = moves[event.key]
        if (to !== undefined) all.at(to % all.length)?.focus()
        else if (event.key === "Escape") close()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <button
        ref={trigger}
        type="button"
        className="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpenChange(!open)}
      >
        {label} <span aria-hidden="true">▾</span>
      </button>
      <ul id={id} ref={list} className="menu" hidden={!open} aria-label={label}>
        {items.map(({ label, note, onSelect }) => (
          <li key={label}>
            <button
              type="button"
              className="menu-item"
              onClick={() => {
                close()
                onSelect()
              }}
            >
              {label}
              {note !== undefined && <small>{note}</small>}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
