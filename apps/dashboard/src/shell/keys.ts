import { useEffect, useRef } from "react"

const offKey = "assay.keys"

/** Single keys can be switched off (WCAG 2.1.4): speech input types them by accident. */
export const keysAreOn = (): boolean => localStorage.getItem(offKey) !== "off"
export const switchKeys = (on: boolean): void => localStorage.setItem(offKey, on ? "on" : "off")

/** Milliseconds within which the second key of a pair must follow. */
const pairTime = 1_500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null

/** Enter activates the focused control, whatever the page would do with that key. */
const presses = ({ key, target }: KeyboardEvent): boolean =>
  key === "Enter" && target instanceof Element && target.closest("a[href], button, summary") !== null

const dialogIsOpen = (): boolean => document.querySelector("dialog[open]") !== null

export type Keys = Readonly<Record<string, () => void>>

/**
 * Binds keys, including pairs such as `"g r"`, while the component is mounted. Components mounted later take
 * precedence.
 */
export const useKeys = (keys: Keys): void => {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    let first = ""
    let since = 0
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (isTyping(event.target) || presses(event) || dialogIsOpen()) return
      if (event.key !== "Escape" && !keysAreOn()) return
      const pair = first !== "" && event.timeStamp - since < pairTime ? `${first} ${event.key}` : undefined
      const action = (pair === undefined ? undefined : current.current[pair]) ?? current.current[event.key]
      first = event.key
      since = event.timeStamp
      if (action === undefined) return
      first = ""
      event.preventDefault()
      action()
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])
}
