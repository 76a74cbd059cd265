import { useSyncExternalStore } from "react"

interface Toast {
  readonly id: number
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
}

const longest = 10_000
let toasts: ReadonlyArray<Toast> = []
let nextId = 1
const listeners = new Set<() => void>()

const set = (next: ReadonlyArray<Toast>): void => {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

/** Shows a message for ten seconds, with one action. */
export const say = (text: string, action?: Toast["action"]): void => {
  const id = nextId++
  set([...toasts.slice(-2), { id, text, action }])
  setTimeout(() => dismiss(id), longest)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const Toasts = () => (
  <div className="toasts" role="status">
    {useSyncExternalStore(subscribe, () => toasts).map(({ id, text, action }) => (
      <div key={id} className="toast">
        <span className="break">{text}</span>
        {action !== undefined && (
          <button
            type="button"
            className="button"
            onClick={() => {
              dismiss(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
    ))}
  </div>
)
