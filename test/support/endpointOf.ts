import { identifierOf } from "../../adapters/http/openapi/completeOperation.ts"
import { policies } from "../../adapters/http/policy.ts"

/** The endpoint of an operation's id: `<group>.<endpoint>`, as in `policies`. */
export const endpointOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(policies).map((id) => [identifierOf(id), id]),
)
