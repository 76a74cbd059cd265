import { useState } from "react"
import { Dialog } from "../ui/Dialog.tsx"
import { keysAreOn, switchKeys } from "./keys.ts"

const groups: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>]> = [
  [
    "Everywhere",
    [
      ["g o", "Overview"],
      ["g r", "Repositories"],
      ["g a", "Analyses"],
      ["g s", "Settings"],
      ["n", "New analysis"],
      ["?", "Show this help"],
    ],
  ],
  [
    "In a report",
    [
      ["j / k", "Next or previous finding"],
      ["o, Enter", "Open the finding"],
      ["[ / ]", "Previous or next step of the trace"],
      ["/", "Search findings"],
      ["x", "Select for a bulk decision"],
      ["f", "False positive"],
      ["a", "Accept risk"],
      ["e", "Export"],
      ["Esc", "Close, or clear the selection"],
    ],
  ],
]

export const Help = ({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) => {
  const [on, setOn] = useState(keysAreOn)
  return (
    <Dialog open={open} title="Keys" onClose={onClose}>
      {groups.map(([title, keys]) => (
        <section key={title} className="section">
          <h3>{title}</h3>
          <dl className="keys">
            {keys.map(([key, what]) => (
              <div key={key} style={{ display: "contents" }}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => {
            switchKeys(event.target.checked)
            setOn(event.target.checked)
          }}
        />
        Single-key shortcuts (turn off for speech input)
      </label>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
