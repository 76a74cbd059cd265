/** A URL or path without trailing slashes; `/\/+$/` would take quadratic time for slashes elsewhere in it. */
export const withoutTrailingSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === "/") end--
  return text.slice(0, end)
}
