import type { Json } from "./json.ts"

/** The parts of an operation that are completed here; the document is JSON, whatever else it holds. */
export interface Operation {
  readonly operationId?: string
  readonly description?: string
  readonly summary?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Json>
  readonly requestBody?: Json
  readonly responses: Readonly<Record<string, Json>>
  readonly [key: string]: unknown
}
export type PathItem = Readonly<Record<string, Operation>>
