export interface JsonShape {
  /** Levels of arrays and objects. */
  readonly depth: number
  /** An upper bound of the number of values in them. */
  readonly values: number
}

/**
 * What parsing a JSON text would produce, determined from the text: before anything recurses over it, or allocates a
 * hundred bytes per bracket.
 */
export const jsonShape = (text: string): JsonShape => {
  let [level, depth, values] = [0, 0, 1]
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x2c) values++
    else if (code === 0x5b || code === 0x7b) {
      values++
      if (++level > depth) depth = level
    } else if (code === 0x5d || code === 0x7d) level--
  }
  return { depth, values }
}
