import { useEffect, useRef, useState } from "react"
import type { Token } from "./highlight.ts"

export interface Step {
  readonly line: number
  /** From 1. */
  readonly number: number
}

interface Props {
  readonly file: string
  /** Its label for screen readers; by default, the file. */
  readonly label?: string
  readonly text: string
  /** The number of the first line of `text`. */
  readonly firstLine: number
  readonly isMarked: (line: number) => boolean
  readonly steps: ReadonlyArray<Step>
  /** The line to show. */
  readonly focus: number
  readonly currentStep: number | undefined
}

/** Code with the lines of a finding marked and the steps of its trace numbered. */
export const Code = ({ file, label = file, text, firstLine, isMarked, steps, focus, currentStep }: Props) => {
  const [tokens, setTokens] = useState<ReadonlyArray<ReadonlyArray<Token>>>()
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let current = true
    setTokens(undefined)
    void import("./highlight.ts")
      .then(({ tokensOf }) => tokensOf(file, text))
      .then((found) => {
        if (current) setTokens(found)
      })
      // The plain text is already shown.
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [file, text])

  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>(`[data-line="${focus}"]`)
    if (row === null || row === undefined || box.current === null) return
    box.current.scrollTop = row.offsetTop - box.current.clientHeight / 3
  }, [focus, text])

  return (
    <div className="code" ref={box} tabIndex={0} role="region" aria-label={`Code of ${label}`}>
      <table>
        <tbody>
          {text.split("\n").map((line, index) => {
            const number = firstLine + index
            return (
              <tr key={number} data-line={number} className={isMarked(number) ? "marked" : undefined}>
                <td className="line">{number}</td>
                <td>
                  {tokens?.[index]?.map((token, at) => (
                    <span key={at} style={{ color: token.color }}>
                      {token.text}
                    </span>
                  )) ?? line}
                  {steps
                    .filter((step) => step.line === number)
                    .map((step) => (
                      <span key={step.number} className="step" data-now={step.number === currentStep}>
                        <span className="visually-hidden">step </span>
                        {step.number}
                      </span>
                    ))}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
