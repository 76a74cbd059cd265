import { identifierOf } from "../../adapters/http/openapi/completeOperation.ts"
import { policies } from "../../adapters/http/policy.ts"

/** The endpoint, `<group>.<endpoint>` as in `policies`, of an operation's id. */
export const endpointOf: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(policies).map((id) => [identifierOf(id), id]),
)
