import type * as Brand from "effect/Brand"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { Api } from "../../../../adapters/http/contract/Api.ts"

/** Types only: the contract, without a byte of it in the browser. */
type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer G> ? G : never
type GroupName = HttpApiGroup.Identifier<Groups>
type EndpointsIn<G extends GroupName> = HttpApiGroup.EndpointsWithIdentifier<Groups, G>

/** `<group>.<endpoint>`, as named by the policies and the OpenAPI document. */
export type EndpointId = {
  [G in GroupName]: `${G}.${EndpointsIn<G>["identifier"]}`
}[GroupName]

type EndpointOf<Id extends EndpointId> = Id extends `${infer G extends GroupName}.${infer E}`
  ? Extract<EndpointsIn<G>, { readonly identifier: E; readonly "~Request": unknown }> &
      HttpApiEndpoint.ConstraintRequest
  : never

/** Ids are plain text in the browser, which gets them from addresses and responses and sends them back. */
type Plain<T> =
  T extends Brand.Brand<infer _> ? string : T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T

type Part<Name extends string, S extends { readonly Type: unknown }> = [S["Type"]] extends [never]
  ? unknown
  : { readonly [N in Name]: Plain<S["Type"]> }

type OptionalPart<Name extends string, S extends { readonly Type: unknown }> = [S["Type"]] extends [never]
  ? unknown
  : { readonly [N in Name]?: Plain<S["Type"]> }

/** The input of an endpoint. */
export type Input<Id extends EndpointId> = Part<"params", EndpointOf<Id>["~Params"]> &
  OptionalPart<"query", EndpointOf<Id>["~Query"]> &
  Part<"payload", EndpointOf<Id>["~Payload"]> &
  OptionalPart<"headers", EndpointOf<Id>["~Headers"]>

/** The output of an endpoint. */
export type Output<Id extends EndpointId> = EndpointOf<Id>["~Success"]["Type"]
