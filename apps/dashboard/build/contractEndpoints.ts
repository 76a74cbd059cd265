import * as HttpApi from "effect/http-api/HttpApi"
import type { Plugin } from "vite"
import { Api } from "../../../adapters/http/contract/Api.ts"

const id = "virtual:endpoints"

/**
 * `virtual:endpoints`: method and path of each endpoint, taken from the contract when the dashboard is built. With the
 * contract's types, that makes a client of 2 kB; Effect's own client for the same contract takes 65 kB more.
 */
export const contractEndpoints = (): Plugin => ({
  name: "assay-contract-endpoints",
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load: (source) => {
    if (source !== `\0${id}`) return undefined
    const endpoints: Record<string, readonly [string, string]> = {}
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ group, endpoint }) => {
        endpoints[`${group.identifier}.${endpoint.identifier}`] = [endpoint.method, endpoint.path]
      },
    })
    return `export const endpoints = ${JSON.stringify(endpoints)}`
  },
})
