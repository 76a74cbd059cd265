/** A client's preference for a coding, from 0 to 1; undefined if not mentioned (RFC 9110, section 12.5.3). */
const weightOf = (acceptEncoding: string, codings: ReadonlyArray<string>): number | undefined => {
  for (const item of acceptEncoding.split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
    if (!codings.includes(coding)) continue
    const weight = parameters.find((parameter) => parameter.startsWith("q="))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return undefined
}

/** Whether a response is better sent in gzip than as it is. */
export const prefersGzip = (acceptEncoding: string | undefined): boolean => {
  if (acceptEncoding === undefined) return false
  const gzip = weightOf(acceptEncoding, ["gzip", "x-gzip"]) ?? weightOf(acceptEncoding, ["*"]) ?? 0
  return gzip > 0 && gzip >= (weightOf(acceptEncoding, ["identity"]) ?? 0)
}

/** The first of these codings that a client prefers at least as much as the plain response. */
export const preferredCoding = <Coding extends string>(
  acceptEncoding: string | undefined,
  codings: ReadonlyArray<Coding>,
): Coding | undefined => {
  if (acceptEncoding === undefined) return undefined
  const others = weightOf(acceptEncoding, ["*"]) ?? 0
  return codings.find((coding) => {
    const weight = weightOf(acceptEncoding, [coding]) ?? others
    return weight > 0 && weight >= (weightOf(acceptEncoding, ["identity"]) ?? 0)
  })
}
