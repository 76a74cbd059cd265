import { hasProperty } from "effect/Predicate"

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before a response arrived.",
  EPIPE: "The connection was closed before a response arrived.",
  EHOSTUNREACH: "The host is unreachable.",
  ENETUNREACH: "The host is unreachable.",
  EADDRNOTAVAIL: "The host is unreachable.",
  ETIMEDOUT: "The connection timed out.",
  HPE_HEADER_OVERFLOW: "The response headers are too large.",
}

/** Why a request failed, for the receiver's owner: contains no address, path or internals of ours. */
export const explainSendFailure = (error: unknown): string => {
  const code = hasProperty(error, "code") && typeof error.code === "string" ? error.code : ""
  const sentence = sentences[code]
  if (sentence !== undefined) return sentence
  if (/CERT|ISSUER|SIGNATURE/.test(code)) return `The certificate is not valid (${code}).`
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return "The TLS connection failed."
  if (code.startsWith("HPE_")) return "The response is not HTTP."
  return "The request failed."
}
