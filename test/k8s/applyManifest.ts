import type { Manifest } from "../deploy/manifests.ts"
import type { Answer, ApiServer } from "./ApiServer.ts"

interface Resource {
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}

/** The path of an object, whose kind is looked up on the server; undefined if the server does not know the kind. */
export const pathOf = async (server: ApiServer, { apiVersion, kind, metadata }: Manifest): Promise<string> => {
  const group = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`
  const { body } = await server.request("GET", group)
  const resources: ReadonlyArray<Resource> = body.resources ?? []
  const resource = resources.find((each) => each.kind === kind && !each.name.includes("/"))
  if (resource === undefined) throw new Error(`the server knows no ${kind} of ${apiVersion}`)
  const scope = resource.namespaced ? `/namespaces/${metadata.namespace}` : ""
  return `${group}${scope}/${resource.name}/${metadata.name}`
}

/** `kubectl apply --server-side --validate=strict`: unknown and repeated fields are errors. */
export const applyManifest = async (
  server: ApiServer,
  manifest: Manifest,
  mode: "for real" | "dry run" = "for real",
): Promise<Answer> => {
  const query = `fieldManager=test&fieldValidation=Strict${mode === "dry run" ? "&dryRun=All" : ""}`
  return server.request("PATCH", `${await pathOf(server, manifest)}?${query}`, manifest, "application/apply-patch+yaml")
}
