declare module "virtual:endpoints" {
  /** Method and path of every endpoint, by `<group>.<endpoint>`. */
  export const endpoints: Readonly<Record<import("./api/contract.ts").EndpointId, readonly [string, string]>>
}
