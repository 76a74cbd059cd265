import { useState } from "react"

/** Copies a text; if the browser refuses, the text is shown for selection. */
export const Copy = ({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) => {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState("copied")
    } catch {
      setState("refused")
    }
  }
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "refused" ? "Select and copy it" : label}
      </span>
    </button>
  )
}
