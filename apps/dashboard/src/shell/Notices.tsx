import { useSyncExternalStore } from "react"

const subscribe = (listener: () => void) => {
  addEventListener("online", listener)
  addEventListener("offline", listener)
  return () => {
    removeEventListener("online", listener)
    removeEventListener("offline", listener)
  }
}

/** Notices on every page: the network is unavailable. */
export const Notices = () => {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="notice">You are offline. You can still read what was loaded, but changes cannot be saved.</p>
      )}
    </div>
  )
}
