import { useSyncExternalStore } from "react"

let expired = false
const listeners = new Set<() => void>()

const set = (value: boolean): void => {
  if (expired === value) return
  expired = value
  for (const listener of listeners) listener()
}

/** Called when a response says that the session has ended. */
export const announceExpiry = (): void => set(true)
export const forgetExpiry = (): void => set(false)

export const useExpired = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => expired,
  )
