import { hash } from "node:crypto"
import type { OpenApiDocument } from "../openapi/document.ts"

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escape = (text: unknown): string => String(text ?? "").replace(/[&<>"']/g, (character) => escapes[character]!)

/** Escaped text with `code` spans marked up. */
const prose = (text: unknown): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2563eb }
body { font: 16px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem }
h1 { margin-bottom: 0 } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .6rem 0; padding: 0 1rem }
summary { cursor: pointer; padding: .7rem 0; display: flex; gap: .8rem; flex-wrap: wrap; align-items: baseline }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.method { font: 600 .85rem ui-monospace, monospace; min-width: 4rem } .path { font-family: ui-monospace, monospace }
.lock { font-size: .8rem; opacity: .75; margin-left: auto }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem } caption { text-align: left; font-weight: 600 }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line) }
code, pre { font: .9em ui-monospace, monospace } pre { background: var(--soft); padding: .8rem; overflow-x: auto }
a { color: var(--accent) }`

/** Nothing but this page's own style: no script, no font, no image from anywhere. */
export const docsPolicy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type Json = Record<string, unknown>
const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {}) // JSON

const typeOf = (schema: unknown): string => {
  const { $ref, type, const: only, enum: values, anyOf, items, format } = object(schema)
  if (only !== undefined) return JSON.stringify(only)
  if (typeof $ref === "string") return $ref.split("/").at(-1)!
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ")
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(" | ")
  if (type === "array") return `array of ${typeOf(items)}`
  return [type, format].filter((part) => typeof part === "string").join(", ") || "object"
}

const row = (cells: ReadonlyArray<string>): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
const table = (caption: string, head: ReadonlyArray<string>, rows: ReadonlyArray<string>): string =>
  rows.length === 0
    ? ""
    : `<table><caption>${caption}</caption><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`

const descriptionOf = (part: unknown): unknown => object(part)["description"]

const fields = (schema: unknown): ReadonlyArray<string> => {
  const { properties, required } = object(schema)
  return Object.entries(object(properties)).map(([name, property]) =>
    row([
      `<code>${escape(name)}</code>`,
      escape(typeOf(property)),
      Array.isArray(required) && required.includes(name) ? "yes" : "no",
      prose(descriptionOf(property)),
    ]),
  )
}

/** The first example of a body, which every one has. */
const example = (title: string, content: unknown, resolve: (part: unknown) => Json): string => {
  const [media] = Object.values(object(content)).map(object)
  if (media === undefined) return ""
  const value = "example" in media ? media["example"] : resolve(Object.values(object(media["examples"]))[0])["value"]
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2)
  return `<details><summary>${title}</summary><pre>${escape(text)}</pre></details>`
}

/** One operation with its parameters, body and responses. */
const operationSection = (method: string, path: string, operation: Json, resolve: (part: unknown) => Json) => {
  const given = Array.isArray(operation["parameters"]) ? operation["parameters"] : []
  const parameters = given
    .map(resolve)
    .map((parameter) =>
      row([
        `<code>${escape(parameter["name"])}</code>`,
        escape(parameter["in"]),
        escape(typeOf(parameter["schema"])),
        parameter["required"] === true ? "yes" : "no",
        prose(descriptionOf(parameter)),
      ]),
    )
  const body = resolve(object(object(object(operation["requestBody"])["content"])["application/json"])["schema"])
  const answers = Object.entries(object(operation["responses"])).map(
    ([status, part]) => [status, resolve(part)] as const,
  )
  const responses = answers.map(([status, response]) =>
    row([
      escape(status),
      escape(
        Object.entries(object(object(response)["content"]))
          .map(([type, media]) => `${type}: ${typeOf(object(media)["schema"])}`)
          .join("; "),
      ),
      prose(object(response)["description"]),
    ]),
  )
  const secured = operation["security"] === undefined
  return `<details id="${escape(operation["operationId"])}"><summary><span class="method">${escape(method.toUpperCase())}</span>
<span class="path">${escape(path)}</span> <span>${prose(operation["summary"])}</span>
<span class="lock">${secured ? "needs credentials" : "public"}</span></summary>
<p>${prose(operation["description"])}</p>
${table("Parameters", ["Name", "In", "Type", "Required", ""], parameters)}
${table("Body", ["Field", "Type", "Required", ""], fields(body))}
${example("Example of a body", object(operation["requestBody"])["content"], resolve)}
${table("Responses", ["Status", "Body", ""], responses)}
${answers
  .filter(([status]) => status < "300")
  .map(([, response]) => example("Example of an answer", response["content"], resolve))
  .join("\n")}</details>`
}

/** The reference page: all of the OpenAPI document as one page of HTML that needs neither network nor script. */
export const docsPage = (document: OpenApiDocument): string => {
  const schemas = object(document.components.schemas)
  const resolve = (part: unknown): Json => {
    const { $ref } = object(part)
    if (typeof $ref !== "string") return object(part)
    return resolve(
      $ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => object(at)[key], document),
    )
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: object(operation) })),
  )
  const groups = document.tags.map(
    (tag) =>
      `<section><h2>${escape(tag.name)}</h2><p>${prose(tag.description)}</p>${operations
        .filter(({ operation }) => (operation["tags"] as ReadonlyArray<string>).includes(tag.name))
        .map(({ method, path, operation }) => operationSection(method, path, operation, resolve))
        .join("\n")}</section>`,
  )
  const models = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="model-${escape(name)}"><summary><span class="path">${escape(name)}</span> <span>${prose(descriptionOf(schema))}</span></summary>
${table("Fields", ["Field", "Type", "Required", ""], fields(schema))}<pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(document.info.title)} API reference</title><style>${style}</style></head>
<body><header><h1>${escape(document.info.title)} API reference</h1>
<p>${prose(document.info.summary)} <a href="/openapi.json">OpenAPI document</a></p><p>${prose(document.info.description)}</p></header>
<main>${groups.join("\n")}<section><h2>Models</h2>${models.join("\n")}</section></main></body></html>`
}
