import { hasProperty } from "effect/Predicate"

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before an answer came.",
  EPIPE: "The connection was closed before an answer came.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The host cannot be reached.",
  EADDRNOTAVAIL: "The host cannot be reached.",
  ETIMEDOUT: "The connection took too long.",
  HPE_HEADER_OVERFLOW: "The answer's headers are too large.",
}

/** Why a request came to nothing, for the receiver's owner: no address, no path, nothing of ours. */
export const explainSendFailure = (error: unknown): string => {
  const code = hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
  const sentence = sentences[code]
  if (sentence !== undefined) return sentence
  if (/CERT|ISSUER|SIGNATURE/.test(code)) return `The certificate is not valid (${code}).`
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return "The TLS connection failed."
  if (code.startsWith("HPE_")) return "The answer is not HTTP."
  return "The request failed."
}
