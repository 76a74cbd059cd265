/**
 * Characters that are invisible, reverse text or are invalid: C0, C1, format characters, lone surrogates, fillers,
 * variation selectors.
 */
const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u3164\uffa0\p{Variation_Selector}\p{Cf}\p{Cs}]/gu

const named = (character: string): string => {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")
  return `‹U+${code}›`
}

/** Makes characters visible that would hide or reorder their surroundings. */
export const visible = (text: string): string => text.replace(invisible, named)
