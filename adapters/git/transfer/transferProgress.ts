/** A listener that hears rising fractions between 0 and 1 only. */
export const rising = (listener: (fraction: number) => void): ((fraction: number) => void) => {
  let highest = -1
  return (fraction) => {
    const bounded = Math.min(1, Math.max(0, fraction))
    if (bounded <= highest) return
    highest = bounded
    listener(bounded)
  }
}

const phases: Readonly<Record<string, readonly [from: number, to: number]>> = {
  "Counting objects": [0, 0.05],
  "Compressing objects": [0.05, 0.1],
  "Receiving objects": [0.1, 0.9],
  "Resolving deltas": [0.9, 1],
}

/** Reads what `git fetch --progress` writes to stderr into the fraction of the transfer that is done. */
export const transferProgress = (listener: (fraction: number) => void): ((text: string) => void) => {
  let rest = ""
  return (text) => {
    // A chunk may end within a number; the last line is read again with what follows.
    const lines = (rest + text).split(/[\r\n]/)
    rest = lines.at(-1)?.slice(-200) ?? ""
    for (const line of lines) {
      const [, name, percent] = /^(?:remote: )?([A-Z]\w+ \w+): +(\d{1,3})%/.exec(line) ?? []
      const phase = name === undefined ? undefined : phases[name]
      if (phase !== undefined) listener(phase[0] + ((phase[1] - phase[0]) * Number(percent)) / 100)
    }
  }
}
